import { describe, expect, it } from 'vitest'
import type { StoredCatalog } from '../../../src/store/commands/command.ts'
import { readCommand } from '../../../src/store/commands/read-command.ts'
import { received } from './command-cases.ts'

// biome-ignore lint/suspicious/noExplicitAny: cases break whatever there is
type Wire = any

const uuid = '7b0c9f0e-6c1d-4d55-8a63-0b8f1b1c9f10'

/** A catalog that keeps every rule. */
function whole(): Wire {
  return {
    metadata: { api_version: 1 },
    data: {
      name: 'web1',
      version: '1763851976',
      'transaction-uuid': uuid,
      edges: [
        {
          source: { type: 'Class', title: 'Motd' },
          target: { type: 'File', title: '/etc/motd' },
          relationship: 'contains',
        },
      ],
      resources: [
        {
          type: 'Class',
          title: 'Motd',
          aliases: [],
          exported: false,
          file: '/m.pp',
          line: 1,
          tags: ['class', 'motd'],
          parameters: {},
        },
        {
          type: 'File',
          title: '/etc/motd',
          aliases: ['motd'],
          exported: true,
          file: '/m.pp',
          line: '7',
          tags: ['motd', 'file', 'class'],
          parameters: { content: 'hi', owner: ['a', { b: true }], mode: 5 },
        },
      ],
    },
  }
}

const stored: StoredCatalog = {
  certname: 'web1',
  version: '1763851976',
  environment: null,
  transaction_uuid: uuid,
  catalog_uuid: uuid,
  code_id: null,
  job_id: null,
  producer_timestamp: received,
  producer: null,
  edges: whole().data.edges,
  resources: [
    { ...whole().data.resources[0] },
    { ...whole().data.resources[1], line: 7, tags: ['class', 'file', 'motd'] },
  ],
}

function read(version: 1 | 2 | 3, wire: Wire): StoredCatalog {
  const payload = wire instanceof Uint8Array ? wire : Buffer.from(JSON.stringify(wire))
  return readCommand({ name: 'replace catalog', version, payload, received }).payload as StoredCatalog
}

/** The words with which a catalog is refused. */
function refused(version: 1 | 2 | 3, wire: Wire): string | undefined {
  try {
    read(version, wire)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** A catalog that breaks a rule. */
function broken(change: (wire: Wire, file: Wire, edge: Wire) => void): Wire {
  const wire = whole()
  change(wire, wire.data.resources[1], wire.data.edges[0])
  return wire
}

const file = `Resource '{:type "File", :title "/etc/motd"}'`
const edgeText = (more = '', relationship = '"contains"') =>
  `Edge '{:source {:type "Class", :title "Motd"${more}}, :target {:type "File", :title "/etc/motd"}, :relationship ${relationship}}'`
const pattern = '/[[\\p{L}&&[^\\p{Lu}]]\\p{N}_][[\\p{L}&&[^\\p{Lu}]]\\p{N}_:.-]*/'

/** Rules of the format by what breaks them. `undefined`: it is kept, whatever it looks like. */
const rules: readonly (readonly [rule: string, wire: Wire, error: string | undefined])[] = [
  ['catalog: no metadata', broken((wire) => delete wire.metadata), 'Catalog is missing keys: metadata'],
  ['catalog: no data', broken((wire) => delete wire.data), 'Catalog is missing keys: data'],
  ['catalog: more', broken((wire) => Object.assign(wire, { more: 1 })), 'Catalog has unexpected keys: more'],
  [
    'catalog: data null',
    broken((wire) => Object.assign(wire, { data: null })),
    'Catalog: data must be an object, not nil',
  ],
  [
    'metadata: more',
    broken((wire) => Object.assign(wire.metadata, { more: 1 })),
    'Catalog metadata has unexpected keys: more',
  ],
  [
    'metadata: nothing',
    broken((wire) => delete wire.metadata.api_version),
    'Catalog metadata is missing keys: api_version',
  ],
  [
    'metadata: version 2',
    broken((wire) => Object.assign(wire.metadata, { api_version: 2 })),
    'Catalog metadata: api_version must be 1, not 2',
  ],
  [
    'metadata: version as text',
    broken((wire) => Object.assign(wire.metadata, { api_version: '1' })),
    'Catalog metadata: api_version must be 1, not "1"',
  ],
  ...['name', 'version', 'edges', 'resources', 'transaction-uuid'].map((key): readonly [string, Wire, string] => [
    `data: no ${key}`,
    broken((wire) => delete wire.data[key]),
    `Catalog data is missing keys: ${key}`,
  ]),
  [
    'data: more',
    broken((wire) => Object.assign(wire.data, { environment: 'e' })),
    'Catalog data has unexpected keys: environment',
  ],
  [
    'data: name null',
    broken((wire) => Object.assign(wire.data, { name: null })),
    'Catalog data: name must be a string, not nil',
  ],
  [
    'data: version a number',
    broken((wire) => Object.assign(wire.data, { version: 5 })),
    'Catalog data: version must be a string, not 5',
  ],
  ['data: any version', broken((wire) => Object.assign(wire.data, { version: 'r 2' })), undefined],
  ['data: uuid null', broken((wire) => Object.assign(wire.data, { 'transaction-uuid': null })), undefined],
  [
    'data: uuid a number',
    broken((wire) => Object.assign(wire.data, { 'transaction-uuid': 5 })),
    'Catalog data: transaction-uuid must be a string or null, not 5',
  ],
  [
    'data: uuid none',
    broken((wire) => Object.assign(wire.data, { 'transaction-uuid': 'x' })),
    'invalid input syntax for type uuid: "x"',
  ],
  ['data: empty lists', broken((wire) => Object.assign(wire.data, { edges: [], resources: [] })), undefined],
  [
    'data: edges null',
    broken((wire) => Object.assign(wire.data, { edges: null })),
    'Catalog data: edges must be an array, not nil',
  ],
  [
    'data: resources an object',
    broken((wire) => Object.assign(wire.data, { resources: {} })),
    'Catalog data: resources must be an array, not {}',
  ],
  [
    'edge: text',
    broken((wire) => Object.assign(wire.data, { edges: ['x'] })),
    'Catalog data: edges must be an array of objects, not "x"',
  ],
  [
    'edge: more',
    broken((_, __, edge) => Object.assign(edge, { more: 1 })),
    `${edgeText().slice(0, -2)}, :more 1}' has unexpected keys: more`,
  ],
  [
    'edge: no relationship',
    broken((_, __, edge) => delete edge.relationship),
    `${edgeText().replace(', :relationship "contains"', '')} is missing keys: relationship`,
  ],
  [
    'edge: unknown relationship',
    broken((_, __, edge) => Object.assign(edge, { relationship: 'likes' })),
    `${edgeText('', '"likes"')} has invalid relationship type '"likes"'`,
  ],
  [
    'edge: relationship null',
    broken((_, __, edge) => Object.assign(edge, { relationship: null })),
    `${edgeText('', 'nil')} has invalid relationship type 'nil'`,
  ],
  ...['contains', 'before', 'required-by', 'notifies', 'subscription-of'].map(
    (relationship): readonly [string, Wire, undefined] => [
      `edge: ${relationship}`,
      broken((_, __, edge) => Object.assign(edge, { relationship })),
      undefined,
    ],
  ),
  [
    'edge: by an alias',
    broken((_, __, edge) => Object.assign(edge.target, { title: 'motd' })),
    `${edgeText().replace('/etc/motd', 'motd')} refers to resource '{:type "File", :title "motd"}', which doesnt exist in the catalog.`,
  ],
  [
    'edge: not listed',
    broken((_, __, edge) => Object.assign(edge.source, { title: 'None' })),
    `${edgeText().replace('"Motd"', '"None"')} refers to resource '{:type "Class", :title "None"}', which doesnt exist in the catalog.`,
  ],
  [
    'spec: more',
    broken((_, __, edge) => Object.assign(edge.source, { more: 1 })),
    `${edgeText(', :more 1')} source has unexpected keys: more`,
  ],
  [
    'spec: no title',
    broken((_, __, edge) => delete edge.source.title),
    `${edgeText().replace(', :title "Motd"', '')} source is missing keys: title`,
  ],
  [
    'spec: a reference',
    broken((_, __, edge) => Object.assign(edge, { source: 'Class[Motd]' })),
    `${edgeText().replace('{:type "Class", :title "Motd"}', '"Class[Motd]"')}: source must be an object, not "Class[Motd]"`,
  ],
  ...['type', 'title', 'aliases', 'exported', 'file', 'line', 'tags', 'parameters'].map(
    (key): readonly [string, Wire, string] => [
      `resource: no ${key}`,
      broken((wire, resource) => {
        wire.data.edges = []
        delete resource[key]
      }),
      `${key === 'type' ? file.replace('"File"', 'nil') : key === 'title' ? file.replace('"/etc/motd"', 'nil') : file} is missing keys: ${key}`,
    ],
  ),
  [
    'resource: more',
    broken((_, resource) => Object.assign(resource, { kind: 'x' })),
    `${file} has unexpected keys: kind`,
  ],
  [
    'resource: text',
    broken((wire) => wire.data.resources.push('x')),
    'Catalog data: resources must be an array of objects, not "x"',
  ],
  [
    'resource: twice',
    broken((wire, resource) => wire.data.resources.push(resource)),
    `${file} occurs twice in the catalog`,
  ],
  [
    'resource: type in lower case',
    broken((_, resource) => Object.assign(resource, { type: 'file' })),
    `${file.replace('File', 'file')}: type must be capitalized in each segment, not "file"`,
  ],
  [
    'resource: segment in lower case',
    broken((_, resource) => Object.assign(resource, { type: 'Apache::vhost' })),
    `${file.replace('File', 'Apache::vhost')}: type must be capitalized in each segment, not "Apache::vhost"`,
  ],
  [
    'resource: title a number',
    broken((_, resource) => Object.assign(resource, { title: 5 })),
    `${file.replace('"/etc/motd"', '5')}: title must be a string, not 5`,
  ],
  [
    'resource: aliases text',
    broken((_, resource) => Object.assign(resource, { aliases: 'a' })),
    `${file}: aliases must be an array of strings, not "a"`,
  ],
  [
    'resource: alias null',
    broken((_, resource) => Object.assign(resource, { aliases: [null] })),
    `${file}: aliases must be an array of strings, not [nil]`,
  ],
  [
    'resource: exported text',
    broken((_, resource) => Object.assign(resource, { exported: 'no' })),
    `${file}: exported must be true or false, not "no"`,
  ],
  [
    'resource: file null',
    broken((_, resource) => Object.assign(resource, { file: null })),
    `${file}: file must be a string, not nil`,
  ],
  [
    'resource: line 0',
    broken((_, resource) => Object.assign(resource, { line: 0 })),
    `${file}: line must be a positive number, not 0`,
  ],
  [
    'resource: line of words',
    broken((_, resource) => Object.assign(resource, { line: 'x' })),
    `${file}: line must be a positive number, not "x"`,
  ],
  [
    'resource: line a part',
    broken((_, resource) => Object.assign(resource, { line: 1.5 })),
    `${file}: line must be a positive number, not 1.5`,
  ],
  ['resource: line a number', broken((_, resource) => Object.assign(resource, { line: 7 })), undefined],
  [
    'resource: tag in upper case',
    broken((_, resource) => Object.assign(resource, { tags: ['Motd'] })),
    `${file} has an invalid tag 'Motd'. Tags must match the pattern ${pattern}.`,
  ],
  [
    'resource: tag a number',
    broken((_, resource) => Object.assign(resource, { tags: [5] })),
    `${file}: tags must be an array of strings, not [5]`,
  ],
  [
    'resource: parameters a list',
    broken((_, resource) => Object.assign(resource, { parameters: [] })),
    `${file}: parameters must be an object, not []`,
  ],
  [
    'resource: parameter null',
    broken((_, resource) => Object.assign(resource.parameters, { a: null })),
    `Catalog has null at ${file} parameters.a`,
  ],
  [
    'resource: null in a parameter',
    broken((_, resource) => Object.assign(resource.parameters, { a: [{ b: null }] })),
    `Catalog has null at ${file} parameters.a[0].b`,
  ],
  ['text that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'Catalog is not UTF-8'],
  ['a list', [], "Catalog must be specified as a string or a map, not 'class clojure.lang.LazySeq'"],
  ['JSON text in JSON text', JSON.stringify(whole()), undefined],
]

describe('replace catalog 3', () => {
  it('is a catalog of version 1', () => {
    expect(read(3, whole())).toEqual(stored)
  })

  it.each(rules)('%s', (_, wire, error) => {
    if (error === undefined) expect(read(3, wire).certname).toBe('web1')
    expect(refused(3, wire)).toBe(error)
  })

  it('has no file where that is empty', () => {
    const wire = broken((_, resource) => Object.assign(resource, { file: '', line: 1 }))
    expect(read(3, wire).resources[1]).toMatchObject({ file: null, line: null })
  })

  it('has an edge once', () => {
    const wire = broken((wire, __, edge) => wire.data.edges.push({ ...edge }))
    expect(read(3, wire).edges).toEqual(whole().data.edges)
  })
})

describe('replace catalog 2', () => {
  it('has no transaction, told or not', () => {
    const none = { ...stored, transaction_uuid: null, catalog_uuid: null }
    expect(read(2, whole())).toEqual(none)
    expect(
      read(
        2,
        broken((wire) => delete wire.data['transaction-uuid']),
      ),
    ).toEqual(none)
  })

  it('is as strict else', () => {
    for (const [rule, wire, error] of rules)
      if (error !== undefined && !rule.includes('uuid')) expect(refused(2, wire), rule).toBe(error)
  })
})

describe('replace catalog 1', () => {
  it('is a catalog of version 1', () => {
    expect(read(1, whole())).toEqual({ ...stored, transaction_uuid: null, catalog_uuid: null })
  })

  it('leaves out what it does not understand', () => {
    const wire = {
      more: 1,
      data: {
        name: 'web1',
        version: 5,
        more: 1,
        edges: [
          ...whole().data.edges,
          {
            source: { type: 'Class', title: 'None' },
            target: { type: 'File', title: '/etc/motd' },
            relationship: 'contains',
          },
          {
            source: { type: 'Class', title: 'Motd' },
            target: { type: 'File', title: '/etc/motd' },
            relationship: 'likes',
          },
          'x',
        ],
        resources: [
          { type: 'Class', title: 'Motd', more: 1 },
          {
            type: 'File',
            title: '/etc/motd',
            tags: ['A', '-', null],
            parameters: { a: null },
            file: '/m',
            line: 'x',
            exported: 1,
          },
          { type: 'File', title: '/etc/motd', tags: ['second'] },
          { type: 'File' },
          null,
        ],
      },
    }
    const plain = { aliases: [], exported: false, file: null, line: null, tags: [], parameters: {} }
    expect(read(1, wire)).toEqual({
      ...{ ...stored, transaction_uuid: null, catalog_uuid: null, version: '5' },
      resources: [
        { ...plain, type: 'Class', title: 'Motd' },
        { ...plain, type: 'File', title: '/etc/motd', tags: ['a'], parameters: { a: null }, file: '/m' },
      ],
    })
  })

  it('needs no more than a name', () => {
    expect(read(1, { data: { name: 'web1' } })).toMatchObject({
      certname: 'web1',
      version: '',
      edges: [],
      resources: [],
    })
    expect(refused(1, { data: {} })).toBe('Catalog data: name must be a string, not nil')
    expect(refused(1, {})).toBe('Catalog: data must be an object, not nil')
    const other = { metadata: { api_version: 2 }, data: { name: 'web1' } }
    expect(refused(1, other)).toBe('Catalog metadata: api_version must be 1, not 2')
  })
})
