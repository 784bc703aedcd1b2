//! Pictures that the device decodes, outside of this program and while it waits.

use raster::Size;

use crate::Planes;

/// A decoder of the device, such as WebCodecs offers.
pub trait Device {
    /// Starts to decode a picture.
    fn decode(&self, picture: &Coded<'_>) -> Box<dyn DevicePicture>;
}

/// A picture that needs no others, and what a decoder needs to know about it.
#[derive(Clone, Copy, Debug)]
pub struct Coded<'a> {
    /// The name of the codec with its parameters (RFC 6381), such as `hvc1.1.6.L93.B0`.
    pub codec: &'a str,
    /// The contents of the box with the configuration, such as `hvcC`.
    pub configuration: &'a [u8],
    /// The size in pixels that the file states.
    pub size: Size,
    /// The data of the picture.
    pub data: &'a [u8],
}

/// A picture that the device decodes. Its planes can be used when it is decoded.
pub trait DevicePicture: Planes {
    /// Returns how far the device is.
    fn state(&self) -> State;
}

/// How far a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is being decoded.
    UnderWay,
    /// It is decoded.
    Decoded,
    /// The device cannot decode it.
    Failed,
}
