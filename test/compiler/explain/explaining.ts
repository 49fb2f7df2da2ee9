import { type ExplainedCatalog, explainCatalog } from '../../../src/compiler/explain/catalog-explanation.ts'
import type { ExplanationFrame, Origin } from '../../../src/compiler/explain/origin.ts'
import type { CompileRequest } from '../../../src/compiler/request/compile-request.ts'
import { treeOf } from '../../support/map-tree.ts'
import { plainRequest } from '../../support/plain-request.js'

const root = '/code/production'

/** The request for a site's manifest beside other files; names of modules begin with `modules/`. */
export function requestFor(
  code: string,
  files: Readonly<Record<string, string>> = {},
  known: Partial<CompileRequest> = {},
): CompileRequest {
  const tree = treeOf({ ...files, 'manifests/site.pp': code }, root)
  const modulepath = [{ tree, path: 'modules' }]
  const manifest = { path: 'manifests' }
  return plainRequest({ name: 'production', tree, modulepath, manifest, version: 1, globalHiera: undefined }, known)
}

/** The explained catalog of a site's manifest beside other files. */
export function explaining(...given: Parameters<typeof requestFor>): ExplainedCatalog {
  return explainCatalog(requestFor(...given))
}

/** Origins of a parameter, a line for each way from it to where it ends: `attribute :3 < variable $a :1 < literal :1`. */
export function waysOf(catalog: ExplainedCatalog, resource: string, parameter: string): string[] {
  const [explained] = catalog.explain({ resource, parameter }).parameters
  return explained!.origins.flatMap(ways)
}

/** The statements that led to a resource. */
export function framesOf(catalog: ExplainedCatalog, resource: string): string[] {
  const { declared, collected } = catalog.explain({ resource, parameter: undefined })
  return [...declared, ...collected].map(
    (each) => `${each.kind} ${each.name}${each.within === undefined ? '' : ` in ${each.within}`}${placeOf(each)}`,
  )
}

const unnamed = ['attribute', 'default of the expression', 'resource default', 'override', 'override by a collector']
const plain: readonly string[] = [...unnamed, 'replaced', 'added to', 'parameter default']

function ways(origin: Origin): string[] {
  const { kind, name, detail, from } = origin
  const about = name === '' || plain.includes(kind) ? kind : `${kind} ${name}`
  const more = detail === undefined || kind === 'template' || kind === 'file' ? '' : ` (${detail})`
  const own = `${about}${more}${placeOf(origin)}`
  return from.length === 0 ? [own] : from.flatMap(ways).map((each) => `${own} < ${each}`)
}

/** `:3` in the site's manifest, `ntp/manifests/init.pp:3` in a module. */
function placeOf({ file, line }: Origin | ExplanationFrame): string {
  if (file === undefined) return ''
  const path = file.replace(`${root}/`, '').replace(/^modules\//, '')
  return ` ${path === 'manifests/site.pp' ? '' : path}:${line ?? ''}`
}
