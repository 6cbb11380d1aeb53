{
  const store = document.getElementById("player");
  if (store) {
    const numbers = store.dataset.numbers.split(" ").map(Number);
    // All frames are loaded at once, so that playing does not wait for them one by one.
    const images = store.dataset.images.split(" ").map((path) => {
      const image = new Image();
      image.src = path;
      return image;
    });
    const put = (image, index) => (image.src = images[index].src);
    const isThere = (index) => images[index].complete;
    player({ numbers, seconds: Number(store.dataset.seconds), put, isThere });
  }
}
