// What TypeScript needs to know of the package: dist/api.d.ts, which names nothing outside of itself.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isolatedDeclarationSync } from 'rolldown/experimental'

const source = fileURLToPath(new URL('../src/api.ts', import.meta.url))

/** The declarations of src/api.ts, without what is internal. */
export function declarationsOfApi() {
  const { code, errors } = isolatedDeclarationSync(source, readFileSync(source, 'utf8'), { stripInternal: true })
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  const [outside] = /^import .*/m.exec(code) ?? []
  if (outside !== undefined) throw new Error(`src/api.ts promises what stands elsewhere: ${outside}`)
  return code.replaceAll('\t', '  ').replace(/^( *)\*/gm, '$1 *')
}
