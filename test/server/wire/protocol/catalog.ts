import { expect } from 'vitest'
import { error, form, jsonType, type Row, type Section, textType } from './row.ts'

const e = 'environment=production'
const rich = { accept: 'application/vnd.puppet.rich+json, application/json' }

interface Resource {
  readonly type: string
  readonly title: string
  readonly parameters?: Readonly<Record<string, unknown>>
}
interface Catalog {
  readonly resources: readonly Resource[]
  readonly edges: readonly object[]
  readonly metadata?: Readonly<Record<string, object>>
  readonly recursive_metadata?: Readonly<Record<string, Readonly<Record<string, readonly Listed[]>>>>
}
interface Listed {
  readonly relative_path: string
  readonly type: string
}

/** Facts as an agent sends them: percent-encoded twice. */
const facts = (
  name: string,
  format = 'application/json',
  text = JSON.stringify({ name, values: { kernel: 'Sent' } }),
) => `facts_format=${encodeURIComponent(format)}&facts=${encodeURIComponent(encodeURIComponent(text))}`
const post = (name: string, body: string) => ({
  ...{ request: `POST catalog/${name}?${e}`, as: name, headers: form, body: `${e}&${body}` },
})
const resource = (type: string, title: string) => (catalog: Catalog) =>
  catalog.resources.find((each) => each.type === type && each.title === title)
const failed = (row: string, name: string, body: string, message: unknown): Row => ({
  ...{ row, ...post(name, body), status: 500, type: jsonType, answer: error(message as string) },
})

/** The asked catalog of a node with files that may be static. */
const asStatic = (more = '') => post('static.test', `static_catalog=true&checksum_type=sha256.md5${more}`)
const metadata =
  (title: string) =>
  ({ metadata }: Catalog) =>
    metadata?.[title] ?? 'left to the agent'
const listed = (title: string, source: string) => (catalog: Catalog) =>
  catalog.recursive_metadata?.[title]?.[source]?.map(({ relative_path }) => relative_path) ?? 'left to the agent'
const inlined = (row: string, title: string, answer: unknown): Row => ({
  ...{ row, ...asStatic(), status: 200, part: metadata(title), answer },
})
const demo = (path: string) => ({ content_uri: `puppet:///modules/demo/files/${path}` })

/** The message that has a value of each kind. */
const richIn = (catalog: Catalog) =>
  (resource('Notify', 'r')(catalog)?.parameters?.message ?? {}) as Readonly<Record<string, unknown>>
/** The encoding of a value in a catalog for agents that take rich data. */
const encoded = (name: string, answer: unknown): Row => ({
  ...{ row: name, request: `GET catalog/rich.test?${e}`, as: 'rich.test', headers: rich, status: 200, answer },
  part: (catalog: Catalog) => richIn(catalog)[name],
})

/** Sections 3 to 6: catalogs. */
export const catalogs: readonly Section[] = [
  {
    section: '3',
    server: 'byDefault',
    rows: [
      {
        row: 'a POST with facts',
        ...{ ...post('facts.test', facts('facts.test')), status: 200, type: jsonType },
        ...{ part: resource('Notify', 'Sent'), answer: expect.objectContaining({ title: 'Sent' }) },
      },
      {
        row: 'facts as pson: the same',
        ...{ ...post('facts.test', facts('facts.test', 'pson')), status: 200 },
        ...{ part: resource('Notify', 'Sent'), answer: expect.objectContaining({ title: 'Sent' }) },
      },
      {
        row: 'a GET takes the facts that came last',
        ...{ request: `GET catalog/facts.test?${e}`, as: 'facts.test', status: 200 },
        ...{ part: resource('Notify', 'Sent'), answer: expect.objectContaining({ title: 'Sent' }) },
      },
      {
        row: 'a GET is never static',
        ...{ request: `GET catalog/static.test?${e}`, as: 'static.test', status: 200 },
        ...{ part: metadata('/one'), answer: 'left to the agent' },
      },
      {
        row: 'a POST without facts is static where it asks so',
        ...{ ...asStatic(), status: 200, part: metadata('/one'), answer: expect.objectContaining(demo('a.txt')) },
      },
      {
        row: 'code_id is there when it is not static',
        ...{ request: `GET catalog/a.test?${e}`, status: 200 },
        ...{ part: ({ code_id }: { code_id: string }) => code_id, answer: 'CODE_ID' },
      },
      {
        row: 'a code_id of the client is nothing',
        ...{ request: `GET catalog/a.test?${e}&code_id=1234`, status: 200 },
        ...{ part: ({ code_id }: { code_id: string }) => code_id, answer: 'CODE_ID' },
      },
      {
        row: 'a node alone may ask for its catalog',
        ...{ request: `GET catalog/b.test?${e}`, status: 403, type: 'none' },
      },
      {
        row: 'a body of another type',
        request: `POST catalog/a.test?${e}`,
        ...{ headers: { accept: 'application/json', 'content-type': 'application/json' }, body: '{}', status: 415 },
      },
      {
        row: 'no environment',
        ...{ request: 'GET catalog/a.test', status: 400, type: textType },
        answer: "The environment must be purely alphanumeric, not 'null'",
      },
      {
        row: 'an environment that is no word',
        ...{ request: 'GET catalog/a.test?environment=a-b', status: 400, type: textType },
        answer: "The environment must be purely alphanumeric, not 'a-b'",
      },
      {
        row: 'an environment that is not there',
        ...{ request: 'GET catalog/a.test?environment=nope', status: 500, type: jsonType },
        answer: error(
          "Server Error: Could not find a directory environment named 'nope' anywhere in the path: ENVIRONMENTS. Does the directory exist?",
        ),
      },
      failed(
        'facts without a format',
        'a.test',
        'facts=%257B%257D',
        'Server Error: Facts but no fact format provided for a.test',
      ),
      failed(
        'facts in another format',
        'a.test',
        facts('a.test', 'text/yaml'),
        'Server Error: Unsupported facts format',
      ),
      failed(
        'facts that are no JSON',
        'a.test',
        facts('a.test', 'application/json', '{'),
        expect.stringMatching(/^Server Error: Could not intern from json: /),
      ),
      failed(
        'facts of another node',
        'a.test',
        facts('b.test'),
        'Server Error: Catalog for "a.test" was requested with fact definition for the wrong node ("b.test").',
      ),
      failed(
        'no checksum that both know',
        'static.test',
        'static_catalog=true&checksum_type=crc32',
        expect.stringMatching(
          /^Server Error: Unable to find a common checksum type between agent 'crc32' and master '\[/,
        ),
      ),
      failed(
        'no checksum at all, and static',
        'static.test',
        'static_catalog=true',
        expect.stringMatching(/^Server Error: Unable to find a common checksum type between agent '' and master '\[/),
      ),
      {
        row: 'a syntax error',
        ...{ request: 'GET catalog/a.test?environment=broken', status: 500, type: jsonType },
        answer: error(
          'Server Error: Could not parse for environment broken: Syntax error at end of input (file: ENVIRONMENTS/broken/manifests/site.pp) on node a.test',
        ),
      },
      {
        row: 'an error of evaluation',
        ...{ request: `GET catalog/unknown.test?${e}`, as: 'unknown.test', status: 500, type: jsonType },
        answer: error(
          'Server Error: Evaluation Error: Error while evaluating a Function Call, Could not find class ::nope for unknown.test (file: ENVIRONMENTS/production/manifests/site.pp, line: 43, column: 23) on node unknown.test',
        ),
      },
      {
        row: 'two accepted formats: the first',
        request: `GET catalog/a.test?${e}`,
        ...{ headers: rich, status: 200, type: 'application/vnd.puppet.rich+json; charset=utf-8' },
      },
      {
        row: 'HEAD is answered without a body',
        ...{ request: `HEAD catalog/a.test?${e}`, status: 403, answer: '' },
      },
    ],
  },
  {
    section: '4',
    server: 'byDefault',
    rows: [
      inlined('a single file: under the title', '/one', {
        ...{ path: 'ENVIRONMENTS/production/modules/demo/files/a.txt', relative_path: null, links: 'manage' },
        ...{ owner: 0, group: 0, mode: 420, type: 'file', destination: null },
        checksum: { type: 'sha256', value: expect.stringMatching(/^\{sha256\}[0-9a-f]{64}$/) },
        ...{ ...demo('a.txt'), source: 'puppet:///modules/demo/a.txt' },
      }),
      inlined('of two sources, the first that is there', 'first of two', expect.objectContaining(demo('a.txt'))),
      inlined(
        'its own `checksum` is the one',
        '/md5',
        expect.objectContaining({ checksum: { type: 'md5', value: expect.stringMatching(/^\{md5\}[0-9a-f]{32}$/) } }),
      ),
      ...['/absent', '/web', '/mixed', '/task'].map((title) =>
        inlined(`${title}: not inlined`, title, 'left to the agent'),
      ),
      {
        row: 'a folder with `recurse`: under title and source, without the slash at its end',
        ...{ ...asStatic(), status: 200, part: listed('/tree', 'puppet:///modules/demo/tree') },
        answer: ['.', 'link.txt', 'one.txt', 'sub', 'sub/two.txt'],
      },
      {
        row: 'its files have content_uri, and no source',
        ...{ ...asStatic(), status: 200, answer: [expect.objectContaining(demo('tree/sub/two.txt')), undefined] },
        part: ({ recursive_metadata }: Catalog) => {
          const last = recursive_metadata!['/tree']!['puppet:///modules/demo/tree']!.at(-1)! as object
          return [last, (last as { source?: string }).source]
        },
      },
      {
        row: '`recurse => remote` is recursive, too, and `ignore` counts',
        ...{ ...asStatic(), status: 200, part: listed('/remote', 'puppet:///modules/demo/tree') },
        answer: ['.', 'link.txt', 'one.txt'],
      },
      {
        row: 'a folder that is nowhere is left to the agent',
        ...{ ...asStatic(), status: 200, part: listed('/nothing', 'puppet:///modules/demo/none') },
        answer: 'left to the agent',
      },
    ],
  },
  {
    section: '5',
    server: 'byDefault',
    rows: [
      {
        row: 'the keys in their order',
        ...{ ...asStatic(), status: 200, part: (catalog: Catalog) => Object.keys(catalog) },
        answer: [
          ...['tags', 'name', 'version', 'code_id', 'catalog_uuid', 'catalog_format', 'environment', 'resources'],
          ...['edges', 'metadata', 'recursive_metadata', 'classes'],
        ],
      },
      {
        row: 'metadata of no files are left out',
        ...{ request: `GET catalog/a.test?${e}`, status: 200, answer: ['resources', 'edges', 'classes'] },
        part: (catalog: Catalog) => Object.keys(catalog).slice(-3),
      },
      {
        row: 'what stands before the code, in this order',
        ...{ request: `GET catalog/a.test?${e}`, status: 200 },
        part: ({ resources }: Catalog) => resources.slice(0, 4).map(({ type, title }) => `${type}[${title}]`),
        answer: ['Stage[main]', 'Class[Settings]', 'Class[main]', 'Node[a.test]'],
      },
      {
        row: 'edges are containment',
        ...{ request: `GET catalog/a.test?${e}`, status: 200 },
        part: ({ edges }: Catalog) => edges,
        answer: [
          { source: 'Stage[main]', target: 'Class[Settings]' },
          { source: 'Stage[main]', target: 'Class[main]' },
          { source: 'Class[main]', target: 'Node[a.test]' },
          { source: 'Stage[main]', target: 'Class[Demo]' },
          { source: 'Class[Demo]', target: 'Notify[hello dflt]' },
        ],
      },
      {
        row: 'a Sensitive on top is in the clear, and named; the name is left out where it is the title',
        ...{ request: `GET catalog/shape.test?${e}`, as: 'shape.test', status: 200, part: resource('File', '/secret') },
        answer: {
          ...{ type: 'File', title: '/secret', file: 'ENVIRONMENTS/production/manifests/site.pp', line: 37 },
          ...{ tags: expect.arrayContaining(['file', 'mine']), exported: false, kind: 'compilable_type' },
          ...{ parameters: { content: 'clear', tag: 'mine' }, sensitive_parameters: ['content'] },
        },
      },
      {
        row: 'undef is left out on top and null below, a list of one stays one, a reference is a text',
        ...{ request: `GET catalog/shape.test?${e}`, as: 'shape.test', status: 200 },
        part: (catalog: Catalog) => resource('Notify', 'nested')(catalog)?.parameters,
        answer: { message: [{ a: null }, ['one']], require: 'File[/secret]' },
      },
      {
        row: 'the kind of a defined type, and no parameters where there are none',
        ...{ request: `GET catalog/shape.test?${e}`, as: 'shape.test', status: 200 },
        part: resource('Demo::Rich', 'd'),
        answer: {
          ...{ type: 'Demo::Rich', title: 'd', tags: expect.arrayContaining(['demo::rich', 'demo', 'rich', 'd']) },
          ...{ file: 'ENVIRONMENTS/production/manifests/site.pp', line: 39, exported: false, kind: 'defined_type' },
        },
      },
      ...['virtual', 'exported'].map((title) => ({
        row: `no ${title} resources`,
        ...{ request: `GET catalog/shape.test?${e}`, as: 'shape.test', status: 200 },
        ...{ part: resource('Notify', title), answer: undefined },
      })),
    ],
  },
  {
    section: '6',
    server: 'byDefault',
    rows: [
      encoded('regexp', { __ptype: 'Regexp', __pvalue: 'a.*b' }),
      encoded('timestamp', { __ptype: 'Timestamp', __pvalue: '2020-01-02T03:04:05.006000000 UTC' }),
      encoded('timespan', { __ptype: 'Timespan', __pvalue: '1-02:03:04.0' }),
      encoded('semver', { __ptype: 'SemVer', __pvalue: '1.2.3' }),
      encoded('semverrange', { __ptype: 'SemVerRange', __pvalue: '>=1.0.0 <2.0.0' }),
      encoded('binary', { __ptype: 'Binary', __pvalue: 'aGk=' }),
      encoded('uri', { __ptype: 'URI', __pvalue: 'http://x/y' }),
      encoded('default', { __ptype: 'Default' }),
      encoded('integer type', { __ptype: 'Pcore::IntegerType', from: 1, to: 2 }),
      encoded('variant type', {
        __ptype: 'Pcore::VariantType',
        types: [{ __ptype: 'Pcore::StringType' }, { __ptype: 'Pcore::EnumType', values: ['a', 'b'] }],
      }),
      encoded('sensitive', { __ptype: 'Sensitive', __pvalue: 'n' }),
      encoded('deferred', { __ptype: 'Deferred', name: 'demo::late', arguments: ['abc'] }),
      encoded('late fact', { __ptype: 'Deferred', name: '$facts', arguments: ['os'] }),
      encoded('hash', { __ptype: 'Hash', __pvalue: [1, 'x'] }),
      encoded('references', ['File[/x]', 'Class[Demo]']),
      encoded('undef', null),
      encoded('error', { __ptype: 'Error', msg: 'boom', kind: 'k' }),
      {
        row: 'in plain JSON they are an error where `strict` says so',
        ...{ request: `GET catalog/rich.test?${e}`, as: 'rich.test', status: 500, type: jsonType },
        answer: error(
          "Server Error: Notify[r]['message']['regexp'] contains a Regexp value. It will be converted to the String '/a.*b/'",
        ),
      },
    ],
  },
  {
    section: '6',
    server: 'open',
    rows: [
      {
        row: 'in plain JSON they become texts, where `strict` does not say that they may not',
        ...{ request: `GET catalog/rich.test?${e}`, as: 'rich.test', status: 200, type: jsonType },
        part: (catalog: Catalog) => richIn(catalog).semver,
        answer: '1.2.3',
      },
    ],
  },
]
