import { type Html, html, type PageAddress } from '../../../base/text/html.ts'

/** A field of a filter form. */
export type Filter =
  | { readonly kind: 'text'; readonly name: string; readonly label: string; readonly placeholder?: string }
  | {
      readonly kind: 'choice'
      readonly name: string
      readonly label: string
      readonly options: readonly (readonly [value: string, label: string])[]
    }

/** Renders a filter form; `kept` contains the values of hidden fields. */
export function renderFilters(
  fields: readonly Filter[],
  query: ReadonlyMap<string, string>,
  action: PageAddress,
  kept: Readonly<Record<string, string | undefined>> = {},
): Html {
  return html`<form class="filters" role="search" action="${action}">
${Object.entries(kept).map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map((field) => html`<label>${field.label} ${renderInput(field, query.get(field.name) ?? '')}</label>`)}
<button>Filter</button>
</form>`
}

function renderInput(field: Filter, value: string): Html {
  if (field.kind === 'text')
    return html`<input type="search" name="${field.name}" value="${value}" placeholder="${field.placeholder}" autocomplete="off" spellcheck="false">`
  const options = [['', 'any'] as const, ...field.options]
  return html`<select name="${field.name}">${options.map(([key, label]) => renderOption(key, label, value))}</select>`
}

function renderOption(key: string, label: string, value: string): Html {
  if (key === value) return html`<option value="${key}" selected>${label}</option>`
  return html`<option value="${key}">${label}</option>`
}
