//! The HTML page that lists the pictures of a gallery.

use super::agent::Shown;

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{margin:0;padding:20px;font:14px/1.4 system-ui,'Noto Sans',sans-serif;background:light-dark(#eef0f4,#101216);color:light-dark(#1a1d23,#e8eaee)}\
h1{font-size:20px;margin:0 0 16px}\
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:16px}\
figure{margin:0;display:grid;grid-template-rows:auto 1fr;gap:6px}\
figcaption{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;opacity:.8}\
p{margin:0;height:230px;overflow:hidden;overflow-wrap:anywhere}\
div{display:grid;grid-template-columns:3fr 1fr;gap:4px;height:230px}\
a{height:230px;overflow:hidden;border-radius:6px;background:#fff}\
a+a{background:#15171c}\
img{display:block;width:100%}";

/// Returns the page; its pictures are files beside it.
pub(super) fn page(shown: &[Shown]) -> String {
    let cells: String = shown
        .iter()
        .map(|entry| {
            let (name, intent) = (text(&entry.name), text(&entry.intent));
            if let Err(reason) = &entry.viewer_url {
                let reason = text(reason);
                return format!(
                    "<figure><figcaption title=\"{intent}\"><b>{name}</b> {intent}</figcaption>\
                     <p>{reason}</p></figure>\n"
                );
            }
            format!(
                "<figure><figcaption title=\"{intent}\"><b>{name}</b> {intent}</figcaption><div>\
                 <a href=\"{name}.png\"><img src=\"{name}.png\" alt=\"{intent}\"></a>\
                 <a href=\"{name}-phone.png\"><img src=\"{name}-phone.png\" alt=\"{intent}, on a phone in the dark\"></a>\
                 </div></figure>\n"
            )
        })
        .collect();
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Gallery</title><style>{STYLE}</style>\n<h1>{} contracts</h1>\n\
         <main data-sheet>\n{cells}</main></html>\n",
        shown.len()
    )
}

fn text(raw: &str) -> String {
    raw.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_intent_is_text_on_the_sheet() {
        let entry = Shown {
            name: "edge".to_owned(),
            intent: "<b>\"&".to_owned(),
            viewer_url: Ok(String::new()),
        };
        let page = page(&[entry]);
        assert!(
            page.contains("&lt;b>&quot;&amp;") && !page.contains("<b>\""),
            "{page}"
        );
    }
}
