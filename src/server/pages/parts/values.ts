import { budgets } from '../../../base/budgets/budgets.ts'
import { type ExactJson, getEntries, isExactObject } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { type Html, html, type TemplateValue } from '../../../base/text/html.ts'
import { formatCount } from './time-format.ts'

const most = budgets.pages.text.bound

/** Truncates text to its budget, and adds the number of omitted characters. */
export function clipText(text: string): TemplateValue {
  if (text.length <= most) return text
  return [text.slice(0, most), html`<em>… ${formatCount(text.length - most)} more characters</em>`]
}

/** Renders a value as JSON; strings are printed without quotes, and multi-line strings as lines. */
export function renderValue(value: ExactJson | undefined): Html {
  if (value === undefined) return html`<span class="none">none</span>`
  if (typeof value === 'string')
    return value.includes('\n') ? html`<pre>${clipText(value)}</pre>` : html`<code>${clipText(value)}</code>`
  const text = formatExactJson(value, isDeepValue(value) ? 2 : 0)
  return text.includes('\n') ? html`<pre>${clipText(text)}</pre>` : html`<code>${clipText(text)}</code>`
}

function isDeepValue(value: ExactJson): boolean {
  return (Array.isArray(value) || isExactObject(value)) && formatExactJson(value).length > 60
}

/** Renders a value as a collapsible tree. */
export function renderTree(name: string, value: ExactJson, isOpen = false): Html {
  const children = listChildren(value)
  if (!children || children.length === 0) return renderLeaf(name, value)
  const inner = html`<ul>${children.map(([key, child]) => html`<li>${renderTree(key, child ?? null, isOpen)}</li>`)}</ul>`
  const label = html`<span class="key">${name}</span> <span class="size">${formatSize(value, children.length)}</span>`
  if (isOpen) return html`<details open><summary>${label}</summary>${inner}</details>`
  return html`<details><summary>${label}</summary>${inner}</details>`
}

function renderLeaf(name: string, value: ExactJson): Html {
  return html`<span class="key">${name}</span> ${renderValue(value)}`
}

function listChildren(value: ExactJson): readonly (readonly [string, ExactJson | undefined])[] | undefined {
  if (Array.isArray(value)) return value.map((each, at) => [String(at), each])
  return isExactObject(value) ? [...getEntries(value)] : undefined
}

function formatSize(value: ExactJson, size: number): string {
  const word = Array.isArray(value) ? 'item' : 'member'
  return `${formatCount(size)} ${size === 1 ? word : `${word}s`}`
}
