{
  const store = document.getElementById("frames");
  if (store) {
    const { numbers, seconds, images } = JSON.parse(store.textContent);
    const put = (image, index) => (image.src = "data:image/png;base64," + images[index]);
    player({ numbers, seconds, put });
  }
}
