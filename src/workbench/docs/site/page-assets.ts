/** Style of the page. Colors have a contrast of at least 7:1, in light and dark. */
export const pageStyle = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; display: grid;
  grid-template: "header header" auto "nav main" 1fr / minmax(12rem, 20rem) minmax(0, 1fr); }
header { grid-area: header; padding: 0 1.5rem 1rem; border-bottom: 1px solid #767676; }
nav { grid-area: nav; padding: 0 1.5rem; overflow-wrap: anywhere; }
nav h2 { font-size: 1rem; }
nav ul { list-style: none; padding: 0; }
main { grid-area: main; padding: 0 1.5rem 3rem; max-width: 60rem; }
a { color: #0a3d8f; }
article { border-top: 1px solid #767676; overflow-wrap: anywhere; }
h3, dt { font-family: ui-monospace, monospace; }
h5, h6 { font-size: 1rem; margin: 1rem 0 0; }
pre { background: #f2f2f2; padding: 0.75rem; overflow: auto; overflow-wrap: normal; }
code { font-family: ui-monospace, monospace; }
dt { margin-top: 1rem; font-weight: bold; }
.type { font-weight: normal; margin-left: 0.5rem; }
.place, .private { font-size: 0.875rem; font-weight: normal; }
.private { border: 1px solid #767676; padding: 0 0.25rem; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 0; }
[hidden] { display: none !important; }
@media (prefers-color-scheme: dark) { a { color: #a8c7ff; } pre { background: #262626; } }
@media (max-width: 45rem) { body { display: block; } }
`

/** Script of the page: hides the items that do not contain all words of the search. */
export const pageScript = `
'use strict'
const search = document.getElementById('search')
const entries = new Map(Array.from(document.querySelectorAll('nav li'), (entry) => [entry.dataset.item, entry]))
const articles = Array.from(document.querySelectorAll('article'), (article) => ({
  article,
  entry: entries.get(article.id),
  text: article.textContent.toLowerCase(),
}))
const sections = document.querySelectorAll('nav section, section.group')
function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let count = 0
  for (const { article, entry, text } of articles) {
    const isFound = words.every((word) => text.includes(word))
    if (isFound) count++
    article.hidden = entry.hidden = !isFound
  }
  for (const section of sections) section.hidden = section.querySelector('li:not([hidden]), article:not([hidden])') === null
  document.getElementById('found').textContent = words.length === 0 ? '' : count + ' found'
}
search.addEventListener('input', filter)
search.form.addEventListener('submit', (event) => event.preventDefault())
filter()
`
