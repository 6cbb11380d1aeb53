//! Studies of scenes: tables of sweeps ([`sweep`]), figures of results ([`figure`]), and exports of
//! ropes and cloth over time for other programs ([`export`]).

pub mod export;
pub mod figure;
pub mod sweep;
