//! Named choices, which command lines, jobs of the page and tables of tests contain.

/// An enum without data whose variants have names. [`choices!`](crate::choices) makes one.
pub trait Choice: Copy + 'static {
    /// All variants, in the order of menus.
    const ALL: &'static [Self];
    /// The names of all variants, in the same order: lower case, words joined by hyphens.
    const NAMES: &'static [&'static str];

    /// Returns the variant's name.
    fn name(self) -> &'static str;

    /// Returns the variant's documentation, for a command line's help.
    fn summary(self) -> &'static str;

    /// Returns the variant of that name.
    #[must_use]
    fn from_name(name: &str) -> Option<Self> {
        let index = Self::NAMES.iter().position(|&known| known == name)?;
        Self::ALL.get(index).copied()
    }
}

/// Defines an enum with `ALL`, `name`, `from_name`, [`Choice`] and, if a default variant is given, `Default`.
///
/// Command line and border take the names from here, therefore a new variant appears in both automatically.
///
/// ```
/// raster::choices! {
///     /// How loud a bell rings.
///     pub enum Loudness: default Low {
///         /// For the night.
///         Low = "low",
///         /// For the day.
///         VeryHigh = "very-high",
///     }
/// }
/// assert_eq!(Loudness::ALL.map(Loudness::name), ["low", "very-high"]);
/// assert_eq!(Loudness::from_name("very-high"), Some(Loudness::VeryHigh));
/// assert_eq!(raster::Choice::summary(Loudness::default()), "For the night.");
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $choice:ident $(: default $default:ident)? {
            $($(#[doc = $doc:literal])* $variant:ident = $name:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $visibility enum $choice {
            $($(#[doc = $doc])* $variant,)*
        }

        impl $choice {
            /// All variants, in the order of menus.
            $visibility const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Returns the variant's name: lower case, words joined by hyphens.
            #[must_use]
            $visibility const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the variant of that name.
            #[must_use]
            $visibility fn from_name(name: &str) -> Option<Self> {
                <Self as $crate::Choice>::from_name(name)
            }
        }

        impl $crate::Choice for $choice {
            const ALL: &'static [Self] = &Self::ALL;
            const NAMES: &'static [&'static str] = &[$($name),*];

            fn name(self) -> &'static str {
                self.name()
            }

            fn summary(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($doc),*).trim_ascii(),)*
                }
            }
        }

        $(
            impl Default for $choice {
                fn default() -> Self {
                    Self::$default
                }
            }
        )?
    };
}
