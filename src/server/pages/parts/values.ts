import { budgets } from '../../../base/budgets/budgets.ts'
import { type ExactJson, entriesOf, isExactObject } from '../../../base/json/exact-json.ts'
import { printJson } from '../../../base/json/json-text.ts'
import { type Html, html, type Value } from '../../../base/text/html.ts'
import { count } from './moment.ts'

const most = budgets.pages.text.bound

/** Truncates text to its budget, and adds the number of omitted characters. */
export function clipped(text: string): Value {
  if (text.length <= most) return text
  return [text.slice(0, most), html`<em>… ${count(text.length - most)} more characters</em>`]
}

/** Renders a value as JSON; strings are printed without quotes, and multi-line strings as lines. */
export function valueHtml(value: ExactJson | undefined): Html {
  if (value === undefined) return html`<span class="none">none</span>`
  if (typeof value === 'string')
    return value.includes('\n') ? html`<pre>${clipped(value)}</pre>` : html`<code>${clipped(value)}</code>`
  const text = printJson(value, isDeep(value) ? 2 : 0)
  return text.includes('\n') ? html`<pre>${clipped(text)}</pre>` : html`<code>${clipped(text)}</code>`
}

function isDeep(value: ExactJson): boolean {
  return (Array.isArray(value) || isExactObject(value)) && printJson(value).length > 60
}

/** Renders a value as a collapsible tree. */
export function tree(name: string, value: ExactJson, isOpen = false): Html {
  const children = childrenOf(value)
  if (!children || children.length === 0) return leaf(name, value)
  const inner = html`<ul>${children.map(([key, child]) => html`<li>${tree(key, child ?? null, isOpen)}</li>`)}</ul>`
  const label = html`<span class="key">${name}</span> <span class="size">${sizeOf(value, children.length)}</span>`
  if (isOpen) return html`<details open><summary>${label}</summary>${inner}</details>`
  return html`<details><summary>${label}</summary>${inner}</details>`
}

function leaf(name: string, value: ExactJson): Html {
  return html`<span class="key">${name}</span> ${valueHtml(value)}`
}

function childrenOf(value: ExactJson): readonly (readonly [string, ExactJson | undefined])[] | undefined {
  if (Array.isArray(value)) return value.map((each, at) => [String(at), each])
  return isExactObject(value) ? [...entriesOf(value)] : undefined
}

function sizeOf(value: ExactJson, size: number): string {
  const word = Array.isArray(value) ? 'item' : 'member'
  return `${count(size)} ${size === 1 ? word : `${word}s`}`
}
