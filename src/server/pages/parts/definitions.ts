import { type Html, html, type Value } from '../../../base/text/html.ts'

/** A definition list; pairs without a value are omitted. */
export function definitions(pairs: readonly (readonly [name: string, value: Value])[], empty = 'No data.'): Html {
  const told = pairs.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
  if (told.length === 0) return html`<p class="empty">${empty}</p>`
  return html`<dl>${told.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
