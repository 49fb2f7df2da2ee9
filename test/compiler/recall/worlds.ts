import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ExactJson } from '../../../src/base/json/exact-json.ts'
import type { CodeTree } from '../../../src/code/environments/code-tree.ts'
import type { CompileEnvironment } from '../../../src/code/environments/compile-environment.ts'
import { Recall } from '../../../src/compiler/recall/catalog-recall.ts'
import type { CompileRequest } from '../../../src/compiler/request/compile-request.ts'
import { makeCatalog } from '../../../src/compiler/workers/catalog-compilation.ts'
import { recallOrCompile } from '../../../src/compiler/workers/catalog-recall.ts'
import { createPlainNode } from '../../../src/model/node.ts'
import { buildTrustedFacts } from '../../../src/node/facts/trusted.ts'
import { ownRuby } from '../../../src/ruby/worker-share.ts'
import { type Edits, editedTree } from '../../support/edited-tree.ts'
import { plainRequest } from '../../support/plain-request.js'
import { scratchFolder } from '../../support/scratch-folder.ts'

const debian12 = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../oracle/facts.json'), 'utf8'))

/** The facts of a Debian 12 machine, by another name. */
export function factsOf(node: string): Record<string, ExactJson> {
  const hostname = node.split('.')[0]!
  const networking = { ...debian12.networking, fqdn: node, hostname, domain: 'example.test' }
  return { ...debian12, networking, fqdn: node, hostname, domain: 'example.test', sites: ['north'] }
}

let commits = 0

/** An environment as a commit with some files edited: by path from the tree's root, of the tree that has it. */
export function committed(environment: CompileEnvironment, edits: Edits): CompileEnvironment {
  const number = ++commits
  const codeId = String(number).padStart(40, '0')
  const known = new Map<CodeTree, CodeTree>()
  const edited = (tree: CodeTree): CodeTree => {
    const own = new Map(
      [...edits]
        .filter(([path]) => path.startsWith(`${tree.root}/`))
        .map(([path, text]) => [path.slice(tree.root.length + 1), text]),
    )
    const made = known.get(tree) ?? {
      ...editedTree(tree, own),
      codeId,
      time: 1_700_000_000 + number,
    }
    known.set(tree, made)
    return made
  }
  return {
    ...environment,
    tree: edited(environment.tree),
    modulepath: environment.modulepath.map(({ tree, path }) => ({ tree: edited(tree), path })),
    version: 1_700_000_000 + number,
  }
}

/** A node's catalog, recalled where that may be, beside the catalog that is compiled with nothing remembered. */
export class Beside {
  readonly folder = scratchFolder('traces')
  readonly #recall = new Recall({ folder: this.folder, checkEvery: 0, key: new Uint8Array(32), version: 'test' })
  readonly counts = { recalled: 0, compiled: 0, inVain: 0, failed: 0 }
  readonly #last = new Map<string, string>()

  /** Where the two differ. */
  compare(request: CompileRequest): { readonly recalled: string; readonly compiled: string } | undefined {
    const wish = { format: 'rich' } as const
    const options = { share: ownRuby, answers: undefined }
    const text = (work: () => { readonly body: Uint8Array; readonly logs: unknown }) => {
      try {
        const { body, logs } = work()
        return { text: Buffer.from(body).toString(), logs: JSON.stringify(logs) }
      } catch (error) {
        return { text: `! ${(error as Error).message}`, logs: '' }
      }
    }
    let origin = 'failed'
    const recalled = text(() => {
      const made = recallOrCompile(request, wish, options, this.#recall)
      origin = made.origin
      return made
    })
    const compiled = text(
      () => makeCatalog(request, wish, { ...options, share: { ...ownRuby, checkCallsEvery: undefined } }).catalog,
    )
    const key = `${request.node.name} ${request.environment.name}`
    const bare = withoutCommit(compiled.text)
    if (origin === 'recalled') this.counts.recalled++
    else if (origin === 'failed') this.counts.failed++
    else if (this.#last.get(key) === bare) this.counts.inVain++
    else this.counts.compiled++
    this.#last.set(key, bare)
    if (recalled.text === compiled.text) return undefined
    return { recalled: recalled.text, compiled: compiled.text }
  }

  traceOf(environment: string, node: string): string {
    return join(this.folder, environment, `${node}.trace`)
  }
}

function withoutCommit(text: string): string {
  return text.replace(/"version":\d+,"code_id":"\w+","catalog_uuid":"[\w-]+"/, '').replaceAll(/\{ctime\}[^"]*/g, '')
}

/** A request as a server makes one. */
export function requestOf(
  environment: CompileEnvironment,
  name: string,
  more: Partial<CompileRequest> = {},
): CompileRequest {
  return plainRequest(environment, {
    node: createPlainNode(name, environment.name),
    facts: factsOf(name),
    trusted: buildTrustedFacts({ authenticated: 'local', certname: name }),
    staticChecksum: 'sha256',
    strict: 'warning',
    strictVariables: false,
    ...more,
  }) as CompileRequest
}
