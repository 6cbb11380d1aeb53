//! Adams methods.

mod adams_bashforth2;
mod adams_bashforth3;
mod adams_bashforth4;
mod adams_bashforth_moulton2;
mod adams_bashforth_moulton3;
mod adams_bashforth_moulton4;
mod lecture_adams_bashforth2;
mod multistep;

pub use adams_bashforth_moulton2::AdamsBashforthMoulton2;
pub use adams_bashforth_moulton3::AdamsBashforthMoulton3;
pub use adams_bashforth_moulton4::AdamsBashforthMoulton4;
pub use adams_bashforth2::AdamsBashforth2;
pub use adams_bashforth3::AdamsBashforth3;
pub use adams_bashforth4::AdamsBashforth4;
pub use lecture_adams_bashforth2::LectureAdamsBashforth2;
