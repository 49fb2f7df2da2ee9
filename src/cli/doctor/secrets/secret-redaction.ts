import { listSecretForms } from './secret-forms.ts'

/** Creates a function that replaces all forms of the secrets in a text. Forms that overlap are replaced as a whole. */
export function createRedaction(values: readonly Buffer[]): (text: string) => string {
  const forms = new Set(values.flatMap((value) => listSecretForms(value).map(({ bytes }) => bytes.toString())))
  return (text) => {
    const spans = [...forms].flatMap((form) => listSpans(text, form)).sort((one, other) => one.start - other.start)
    let redacted = ''
    let at = 0
    for (const { start, end } of spans) {
      if (start >= at) redacted += `${text.slice(at, start)}[redacted]`
      at = Math.max(at, end)
    }
    return redacted + text.slice(at)
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

function listSpans(text: string, form: string): readonly Span[] {
  const spans: Span[] = []
  for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1))
    spans.push({ start, end: start + form.length })
  return spans
}
