import { type Html, html, type TemplateValue } from '../../../base/text/html.ts'

/** A definition list; pairs without a value are omitted. */
export function renderDefinitions(
  pairs: readonly (readonly [name: string, value: TemplateValue])[],
  empty = 'No data.',
): Html {
  const told = pairs.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
  if (told.length === 0) return html`<p class="empty">${empty}</p>`
  return html`<dl>${told.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
