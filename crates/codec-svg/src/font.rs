//! The bundled font, which stands in for every other, and a record of what it stood in for.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use resvg::usvg::fontdb::{Database, ID};
use resvg::usvg::{Font, FontFamily, FontResolver};

/// Its name, and that of its family.
pub(crate) const NAME: &str = "Noto Sans";

const FACES: [&[u8]; 2] =
    [include_bytes!("../fonts/NotoSans-Regular.ttf"), include_bytes!("../fonts/NotoSans-Bold.ttf")];

/// Fonts and characters that a document asked for in vain.
#[derive(Default)]
pub(crate) struct Missing {
    /// Names of fonts.
    pub(crate) fonts: BTreeSet<String>,
    /// Whether a character has no picture in the bundled font.
    pub(crate) characters: bool,
}

/// The bundled font alone: results must not depend on the machine.
pub(crate) fn database() -> Arc<Database> {
    let mut database = Database::new();
    FACES.iter().for_each(|face| database.load_font_data(face.to_vec()));
    database.set_serif_family(NAME);
    database.set_sans_serif_family(NAME);
    database.set_cursive_family(NAME);
    database.set_fantasy_family(NAME);
    database.set_monospace_family(NAME);
    Arc::new(database)
}

/// Finds the bundled font, and records what was wanted instead.
pub(crate) fn resolver(missing: &Arc<Mutex<Missing>>) -> FontResolver<'static> {
    let (select, fall_back) = (FontResolver::default_font_selector(), FontResolver::default_fallback_selector());
    let (fonts, characters) = (Arc::clone(missing), Arc::clone(missing));
    FontResolver {
        select_font: Box::new(move |font: &Font, database: &mut Arc<Database>| {
            if let (Some(name), Ok(mut missing)) = (first_name(font), fonts.lock()) {
                missing.fonts.insert(name);
            }
            select(font, database)
        }),
        select_fallback: Box::new(move |c: char, used: &[ID], database: &mut Arc<Database>| {
            let found = fall_back(c, used, database);
            if let (true, Ok(mut missing)) = (found.is_none() && is_seen(c), characters.lock()) {
                missing.characters = true;
            }
            found
        }),
    }
}

/// The font that is wanted first, if it is another one. Any font will do for a generic family.
fn first_name(font: &Font) -> Option<String> {
    match font.families().first() {
        Some(FontFamily::Named(name)) if !name.eq_ignore_ascii_case(NAME) => Some(name.clone()),
        _ => None,
    }
}

/// Whether a character has a picture.
fn is_seen(c: char) -> bool {
    !c.is_whitespace()
        && !c.is_control()
        && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}
