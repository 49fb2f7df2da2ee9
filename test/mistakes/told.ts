import type { Mistake, Part } from './page.ts'

/** What an agent printed of a mistake: its first line with advice, without what differs from run to run. */
export function told(mistake: string, printed: string, puppet: string, because?: string): Mistake {
  const [, plumbline = '', hint] = /^(?:Error|Warning): (.*)\n {2}(\S.*)$/m.exec(printed) ?? []
  if (plumbline === '') throw new Error(`No advice in:\n${printed}`)
  return { mistake, plumbline: everywhere(plumbline), hint: everywhere(hint!), puppet, because }
}

/** The same text whatever the port, the time, the folder, the node and the user of a test. */
export function everywhere(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME')
    .replace(/(localhost:|port )\d{4,5}\b/g, '$1PORT')
    .replace(/(after )[\d.]+( seconds)/g, '$1N$2')
    .replace(/\bnode\d+\.test\b/g, 'node1.test')
    .replace(/(The user )\d+/g, '$1NUMBER')
    .replace(/\/(?:[\w.-]+\/)*((?:etc|var)\/(?:[\w.-]+\/)*[\w.-]+)/g, '/$1')
    .replace(/(anywhere in the path: )\S+/, '$1ENVIRONMENTPATH.')
    .replace(/(ssl\.lock)\.\w+/, '$1')
    .replace(/\/(?:[\w.-]+\/)+(code\.git)/g, '/srv/$1')
    .replace('packet length too long', 'wrong version number') // of newer OpenSSL
}

/** Rows of the page as tests find them. */
export class Rows {
  readonly #rows = new Map<Part, Mistake[]>()

  add(part: Part, row: Mistake): void {
    this.#rows.set(part, [...this.of(part), row])
  }

  of(part: Part): readonly Mistake[] {
    return this.#rows.get(part) ?? []
  }
}
