import { type Html, html, type Value } from '../../../base/text/html.ts'

/** Names and what they stand for; those that stand for nothing are left out. */
export function definitions(
  pairs: readonly (readonly [name: string, value: Value])[],
  empty = 'Nothing is known.',
): Html {
  const told = pairs.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
  if (told.length === 0) return html`<p class="empty">${empty}</p>`
  return html`<dl>${told.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
