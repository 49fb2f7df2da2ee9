import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type ExactJson, exactFloat, exactObject } from '../../base/exact-json.ts'
import { mapInTurns } from '../../base/in-turns.ts'
import { PuppetError } from '../../base/issue.ts'
import { printJson } from '../../base/json-text.ts'
import type { CodeTree } from '../../environments/code-tree.ts'
import type { Environment } from '../../environments/environments.ts'
import { below } from '../../environments/modules.ts'
import { filesBelow } from '../../environments/walk-tree.ts'
import { childrenOf } from '../../language/ast/children.ts'
import type { AnyNode, Expression, HostClassDefinition, Parameter } from '../../language/ast/nodes.ts'
import { parseManifest } from '../../language/parser/parser.ts'
import { json } from '../negotiation.ts'
import type { Services } from '../services.ts'
import { plainEnvironment } from './environment-parameter.ts'

type Described = { readonly classes: readonly ExactJson[] } | { readonly error: string }

/** What was found in a file, by its bytes and its name. */
const described = new LRUCache<string, Described>({ max: 10_000 })

/** `GET /puppet/v3/environment_classes?environment=ENV`: every class with its parameters. protocol.md 10. */
export function environmentClassesRoutes(server: FastifyInstance, { environments }: Services): void {
  server.get('/puppet/v3/environment_classes', async (request, reply) => {
    const environment = await plainEnvironment(environments, request.call.query)
    const files = await mapInTurns(await filesOf(environment), (file) => printJson(file))
    const body = `{"name":${JSON.stringify(environment.name)},"files":[${files.join(',')}]}`
    const etag = createHash('sha256').update(body).digest('hex')
    const known = request.headers['if-none-match']?.replaceAll('"', '').replace(/--gzip$/, '')
    void reply.header('ETag', etag)
    return known === etag ? reply.code(304).send() : reply.type(json.contentType).send(body)
  })
}

async function filesOf(environment: Environment): Promise<readonly ExactJson[]> {
  const found = new Map<string, Described>()
  await mapInTurns([...manifestsOf(environment)], ({ tree, path }) => {
    const file = `${tree.root}/${path}`
    const key = `${tree.entry(path)?.oid}:${file}`
    const known = described.get(key) ?? describe(tree, path, file)
    described.set(key, known)
    found.set(file, known)
  })
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, told]) => ({ path, ...told }))
}

function* manifestsOf(environment: Environment): Generator<{ readonly tree: CodeTree; readonly path: string }> {
  const { code } = environment
  if (code.manifest && 'path' in code.manifest) yield* manifestsIn(code.tree, code.manifest.path)
  for (const { directory } of environment.modules())
    yield* manifestsIn(directory.tree, below(directory.path, 'manifests'))
}

function* manifestsIn(tree: CodeTree, folder: string): Generator<{ readonly tree: CodeTree; readonly path: string }> {
  for (const { path } of filesBelow(tree, folder)) if (path.endsWith('.pp')) yield { tree, path }
}

function describe(tree: CodeTree, path: string, file: string): Described {
  try {
    const { definitions } = parseManifest({ file, text: tree.readText(path) ?? '' })
    const classes = definitions.filter((each): each is HostClassDefinition => each.kind === 'HostClassDefinition')
    return { classes: classes.map(({ name, parameters }) => ({ name, params: parameters.map(describeParameter) })) }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { error: error.message }
  }
}

function describeParameter({ name, type, value }: Parameter): ExactJson {
  const literal = value && literalOf(value)
  return {
    name,
    ...(type ? { type: sourceOf(type) } : {}),
    ...(literal === undefined ? {} : { default_literal: literal.value }),
    ...(value ? { default_source: sourceOf(value) } : {}),
  }
}

/** The text of the whole expression: an operation's own span is its operator. */
function sourceOf(expression: Expression): string {
  const { start, end } = extentOf(expression)
  return expression.span.source.text.slice(start, end)
}

function extentOf(node: AnyNode): { readonly start: number; readonly end: number } {
  const extents = [node.span, ...childrenOf(node).map(extentOf)]
  return { start: Math.min(...extents.map(({ start }) => start)), end: Math.max(...extents.map(({ end }) => end)) }
}

/** The value of what needs no evaluation. */
function literalOf(expression: Expression): { readonly value: ExactJson } | undefined {
  switch (expression.kind) {
    case 'LiteralString':
    case 'LiteralBoolean':
    case 'QualifiedName':
      return { value: expression.value }
    case 'LiteralFloat':
      return { value: exactFloat(expression.value) }
    case 'LiteralInteger':
      return { value: expression.value }
    case 'LiteralUndef':
      return { value: null }
    case 'LiteralList': {
      const values = expression.values.map(literalOf)
      return values.includes(undefined) ? undefined : { value: values.map((each) => each!.value) }
    }
    case 'LiteralHash': {
      const pairs = expression.entries.map(({ key, value }) => [literalOf(key), literalOf(value)] as const)
      if (pairs.some(([key, value]) => !key || !value)) return undefined
      return { value: exactObject(pairs.map(([key, value]) => [String(key!.value), value!.value])) }
    }
    default:
      return undefined
  }
}
