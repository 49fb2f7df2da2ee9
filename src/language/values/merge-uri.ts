import { refuse } from './argument-error.ts'
import { Uri } from './uri.ts'

/** What a reference means beside a base (RFC 3986, 5.2). Throws RUNTIME_ERROR where neither says where it is. */
export function mergeUri(base: Uri, reference: Uri): Uri {
  const [own, other] = [sectionsOf(base), sectionsOf(reference)]
  if (other.scheme !== '') return reference
  if (own.scheme === '') return refuse('both URI are relative')
  const isOpaque = own.authority === '' && !own.path.startsWith('/') && own.path !== ''
  if (isOpaque) return other.query === '' ? base : refuse('query conflicts with opaque')
  const start = own.scheme + (other.authority || own.authority)
  if (other.authority !== '') return new Uri(start + other.path + other.query + other.fragment)
  if (other.path !== '') return new Uri(start + joined(own, other.path) + other.query + other.fragment)
  if (other.query !== '') return new Uri(start + own.path + other.query + other.fragment)
  return new Uri(start + own.path + own.query + (other.fragment || own.fragment))
}

/** Each with its mark: `http:`, `//host`, `/path`, `?query`, `#fragment`; empty where there is none. */
interface Sections {
  readonly scheme: string
  readonly authority: string
  readonly path: string
  readonly query: string
  readonly fragment: string
}

function sectionsOf({ text }: Uri): Sections {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] =
    /^([A-Za-z][\w+.-]*:)?(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(text)!
  return { scheme, authority, path, query, fragment }
}

function joined(base: Sections, path: string): string {
  if (path.startsWith('/')) return withoutDots(path)
  if (base.path === '') return withoutDots(`/${path}`)
  return withoutDots(base.path.slice(0, base.path.lastIndexOf('/') + 1) + path)
}

/** A path without `.` and `..` (RFC 3986, 5.2.4). */
function withoutDots(path: string): string {
  const kept: string[] = []
  const steps = path.split('/')
  for (const step of steps) {
    if (step === '..' && kept.length > 1) kept.pop()
    if (step !== '.' && step !== '..') kept.push(step)
  }
  const last = steps.at(-1)
  return kept.join('/') + (last === '.' || last === '..' ? '/' : '')
}
