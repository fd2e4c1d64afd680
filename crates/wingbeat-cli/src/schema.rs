//! `wingbeat schema`: the keys of scenes as a JSON Schema, by which editors complete scene files
//! and mark what would be refused.

use serde_json::{Map, Value, json};
use wingbeat_scene::{FARTHEST, Key, KeyKind, MOST_POINTS, keys};

use crate::failure::Failure;
use crate::terminal;

/// Characters of a name that users give a table.
const NAME: &str = "^[A-Za-z0-9_-]{1,64}$";

/// Prints the schema.
pub fn schema() -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&scene()).map_err(|e| Failure::Other(e.to_string()))?;
    terminal::print(&(text + "\n"))
}

/// A scene as a schema. It says what each key takes, and which keys a table of each kind has; how
/// keys go together (`range_min` and `range_max`) `wingbeat check` tells.
fn scene() -> Value {
    let mut root = Table::default();
    for key in keys() {
        root.insert(&mut key.name.split('.'), key);
    }
    let mut schema = root.schema();
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("A scene of Wingbeat");
    schema
}

/// Keys of a table, and tables within.
#[derive(Default)]
struct Table {
    /// In the order of the key table; several of one name belong to several kinds.
    keys: Vec<(String, Vec<&'static Key>)>,
    /// `*` stands for tables that users name.
    tables: Vec<(String, Table)>,
}

impl Table {
    fn insert(&mut self, path: &mut std::str::Split<'_, char>, key: &'static Key) {
        let mut rest = path.clone();
        let (Some(part), true) = (path.next(), rest.nth(1).is_some()) else {
            let name = key.name.rsplit('.').next().unwrap_or_default();
            return entry(&mut self.keys, name).push(key);
        };
        entry(&mut self.tables, part).insert(path, key);
    }

    fn schema(&self) -> Value {
        if let [(star, table)] = &self.tables[..]
            && star == "*"
        {
            return json!({
                "type": "object",
                "propertyNames": { "pattern": NAME },
                "additionalProperties": table.schema(),
            });
        }
        let mut properties = Map::new();
        for (name, keys) in &self.keys {
            let schemas: Vec<Value> = keys.iter().map(|key| schema_of(key)).collect();
            let mut schema = match &schemas[..] {
                [one, rest @ ..] if rest.iter().all(|other| other == one) => one.clone(),
                several => json!({ "anyOf": several }),
            };
            schema["description"] = json!(description(keys[0]));
            properties.insert(name.clone(), schema);
        }
        for (name, table) in &self.tables {
            properties.insert(name.clone(), table.schema());
        }
        let mut schema = json!({
            "type": "object", "properties": properties, "additionalProperties": false,
        });
        let required =
            names_of(&self.keys, |key| key.default == "required" && key.kinds.is_empty());
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        let kinds = self.kinds();
        if !kinds.is_empty() {
            schema["allOf"] = json!(kinds);
        }
        schema
    }

    /// What a table of each kind has, if there are kinds.
    fn kinds(&self) -> Vec<Value> {
        let owned = self.keys.iter().flat_map(|(_, keys)| keys).any(|key| !key.kinds.is_empty());
        let tag = self.keys.iter().find(|(name, keys)| {
            matches!(name.as_str(), "kind" | "name") && matches!(keys[0].kind, KeyKind::Choice(_))
        });
        let Some((tag, keys)) = tag.filter(|_| owned) else { return Vec::new() };
        let KeyKind::Choice(kinds) = keys[0].kind else { return Vec::new() };
        let of_kind = |kind: &&str| {
            let own = |key: &Key| key.kinds.contains(kind);
            let has = |key: &Key| key.kinds.is_empty() || own(key);
            let mut then = json!({ "propertyNames": { "enum": names_of(&self.keys, has) } });
            let required = names_of(&self.keys, |key| own(key) && key.default == "required");
            if !required.is_empty() {
                then["required"] = json!(required);
            }
            let differing: Map<String, Value> = self
                .keys
                .iter()
                .filter(|(_, keys)| keys.len() > 1)
                .filter_map(|(name, keys)| {
                    let key = keys.iter().find(|key| own(key))?;
                    Some((name.clone(), schema_of(key)))
                })
                .collect();
            if !differing.is_empty() {
                then["properties"] = Value::Object(differing);
            }
            json!({
                "if": { "properties": { tag: { "const": kind } }, "required": [tag] },
                "then": then,
            })
        };
        kinds.iter().map(of_kind).collect()
    }
}

/// Names of the keys of which one is such.
fn names_of<'a>(
    keys: &'a [(String, Vec<&'static Key>)],
    is_such: impl Fn(&Key) -> bool,
) -> Vec<&'a str> {
    let such = keys.iter().filter(|(_, keys)| keys.iter().any(|key| is_such(key)));
    such.map(|(name, _)| name.as_str()).collect()
}

/// What has this name in a list, put at its end where nothing has.
fn entry<'a, T: Default>(list: &'a mut Vec<(String, T)>, name: &str) -> &'a mut T {
    let at = list.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
        list.push((name.to_string(), T::default()));
        list.len() - 1
    });
    &mut list[at].1
}

/// What editors show beside a key.
fn description(key: &Key) -> String {
    let unit = if key.unit.is_empty() { String::new() } else { format!(" Unit: {}.", key.unit) };
    format!("{}{unit} Default: {}.", key.about, key.default)
}

/// What a key takes.
fn schema_of(key: &Key) -> Value {
    match &key.kind {
        KeyKind::Number { min, max, above_min } => {
            let least = if *above_min { "exclusiveMinimum" } else { "minimum" };
            json!({ "type": "number", least: min, "maximum": max })
        }
        KeyKind::Whole { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        KeyKind::Flag => json!({ "type": "boolean" }),
        KeyKind::Choice(words) => json!({ "enum": words }),
        KeyKind::Point(most) => point(*most),
        KeyKind::PointOrTrue => json!({ "anyOf": [point(FARTHEST), { "const": true }] }),
        KeyKind::Points { least, most } => json!({
            "type": "array", "items": point(*most), "minItems": least, "maxItems": MOST_POINTS,
        }),
        KeyKind::Pairs => json!({ "type": "array", "items": {
            "type": "array", "items": { "type": "integer", "minimum": 0 },
            "minItems": 2, "maxItems": 2,
        } }),
        KeyKind::Terms(terms) => json!({
            "type": "array", "uniqueItems": true,
            "items": { "anyOf": [{ "enum": terms }, { "type": "string", "pattern": "^drive\\." }] },
        }),
        // Any text; and what a later version of the table may hold.
        _ => json!({ "type": "string" }),
    }
}

/// One number for each dimension.
fn point(most: f64) -> Value {
    let number = json!({ "type": "number", "minimum": -most, "maximum": most });
    json!({ "type": "array", "items": number, "minItems": 2, "maxItems": 3 })
}
