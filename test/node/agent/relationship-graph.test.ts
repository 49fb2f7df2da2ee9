import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AppliedCatalog, formatContainmentPath, isContainer } from '../../../src/node/agent/applied-catalog.ts'
import { addGeneratedResources } from '../../../src/node/agent/generated-resources.ts'
import {
  buildRelationshipGraph,
  type Relationships,
  Traversal,
  type Vertex,
} from '../../../src/node/agent/relationship-graph.ts'
import { textKind } from '../../../src/node/resources/attribute-kinds.ts'
import { ManagedResource } from '../../../src/node/resources/managed-resource.ts'
import { defineNamevar, defineType, type NativeTypeDefinition } from '../../../src/node/resources/type.ts'
import { fileType } from '../../../src/node/resources/types/file.ts'
import { types } from '../../../src/node/resources/types.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { appliedCatalog, catalogOf, nameOf } from './small-catalog.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** A manifest, and those edges of it that neither begin nor end at a container that every catalog has. */
interface Case {
  readonly manifest: string
  readonly edges: readonly string[]
}

const cases: Readonly<Record<string, Case>> = {
  'before and notify point on, require and subscribe back': {
    manifest: `
      notify { 'a': before => Notify['b'] }
      notify { 'b': notify => Notify['c'] }
      notify { 'c': }
      notify { 'd': require => Notify['c'] }
      notify { 'e': subscribe => [Notify['a'], Notify['d']] }`,
    edges: [
      'Notify[a] -> Notify[b]',
      'Notify[a] ~> Notify[e]',
      'Notify[b] ~> Notify[c]',
      'Notify[c] -> Notify[d]',
      'Notify[d] ~> Notify[e]',
    ],
  },
  'undef, also in arrays, names nothing': {
    manifest: `
      notify { 'a': before => [undef, Notify['b']], require => undef }
      notify { 'b': notify => [[undef, [Notify['c']]], undef] }
      notify { 'c': require => [undef], subscribe => [[undef]] }`,
    edges: ['Notify[a] -> Notify[b]', 'Notify[b] ~> Notify[c]'],
  },
  'two relationships of the same two, of which one refreshes': {
    manifest: `
      notify { 'a': before => Notify['b'] }
      notify { 'b': subscribe => Notify['a'] }
      notify { 'c': notify => Notify['d'], before => Notify['d'] }
      notify { 'd': require => Notify['c'] }`,
    edges: ['Notify[a] ~> Notify[b]', 'Notify[c] ~> Notify[d]'],
  },
  'an alias, and the name of a resource with another title': {
    manifest: `
      notify { 'a': alias => 'other' }
      exec { 'b': command => '/bin/true', alias => 'too', require => Notify['other'] }
      file { 'c': path => '/nowhere/c', require => Exec['too'] }
      notify { 'd': require => File['/nowhere/c'] }`,
    edges: ['Notify[a] -> Exec[b]', 'Exec[b] -> File[c]', 'File[c] -> Notify[d]'],
  },
  'a file after the folders above it, the nearest that is managed': {
    manifest: `
      file { '/nowhere/a/b/c': ensure => file }
      file { '/nowhere': ensure => directory }
      file { '/nowhere/a': ensure => directory }`,
    edges: ['File[/nowhere/a] -> File[/nowhere/a/b/c]', 'File[/nowhere] -> File[/nowhere/a]'],
  },
  'what a type knows, unless the catalog says the contrary': {
    manifest: `
      file { '/nowhere': ensure => directory, require => File['/nowhere/a'] }
      file { '/nowhere/a': ensure => file }
      file { '/else': ensure => directory }
      file { '/else/a': ensure => file, subscribe => File['/else'] }
      exec { 'x': command => '/else/a', cwd => '/else' }`,
    edges: [
      'File[/nowhere/a] -> File[/nowhere]',
      'File[/else] ~> File[/else/a]',
      'File[/else] -> Exec[x]',
      'File[/else/a] -> Exec[x]',
    ],
  },
  'a container around what it holds, one in another, an empty one': {
    manifest: `
      class a { notify { 'in a': } contain b }
      class b { d { 'x': } }
      class empty { }
      define d { notify { "in \${title}": } }
      include a, empty`,
    edges: [
      'begin Class[A] ~> Notify[in a]',
      'Notify[in a] ~> end Class[A]',
      'begin Class[A] ~> begin Class[B]',
      'end Class[B] ~> end Class[A]',
      'begin Class[B] ~> begin D[x]',
      'end D[x] ~> end Class[B]',
      'begin D[x] ~> Notify[in x]',
      'Notify[in x] ~> end D[x]',
      'begin Class[Empty] -> end Class[Empty]',
    ],
  },
  'a class that several others contain': {
    manifest: `
      notify { 'n': require => Class['a'] }
      class b { notify { 'in b': } }
      class a { contain b }
      class c { contain b }
      include a, c`,
    edges: [
      'begin Class[A] ~> begin Class[B]',
      'begin Class[B] ~> Notify[in b]',
      'begin Class[C] ~> begin Class[B]',
      'Notify[in b] ~> end Class[B]',
      'end Class[A] -> Notify[n]',
      'end Class[B] ~> end Class[A]',
      'end Class[B] ~> end Class[C]',
    ],
  },
  'containers to each other, from end to beginning': {
    manifest: `
      class a { notify { 'in a': } }
      class b { notify { 'in b': } }
      define d { notify { "in \${title}": } }
      d { 'x': require => Class['b'] }
      include a, b
      Class['a'] ~> Class['b']
      notify { 'n': before => Class['a'] }
      notify { 'm': subscribe => D['x'] }`,
    edges: [
      'begin Class[A] ~> Notify[in a]',
      'Notify[in a] ~> end Class[A]',
      'begin Class[B] ~> Notify[in b]',
      'Notify[in b] ~> end Class[B]',
      'begin D[x] ~> Notify[in x]',
      'Notify[in x] ~> end D[x]',
      'end Class[A] ~> begin Class[B]',
      'end Class[B] -> begin D[x]',
      'Notify[n] -> begin Class[A]',
      'end D[x] ~> Notify[m]',
    ],
  },
  'chains, of lists and of collectors': {
    manifest: `
      notify { ['a', 'b', 'c', 'd']: }
      Notify['a'] -> Notify['b', 'c'] ~> Notify<| title == 'd' |>`,
    edges: ['Notify[a] -> Notify[b]', 'Notify[a] -> Notify[c]', 'Notify[b] ~> Notify[d]', 'Notify[c] ~> Notify[d]'],
  },
}

const ofEveryCatalog = /(begin|end) (Stage\[main\]|Class\[(Main|Settings)\])/
const madeByTheAgent = /^(Schedule|Filebucket)\[/

function edgesOf(graph: Relationships): string[] {
  return [...graph.edges()].map(
    ([from, to, { refreshes }]) => `${nameOf(from)} ${refreshes ? '~>' : '->'} ${nameOf(to)}`,
  )
}

/** Edges of real Puppet, which keeps several between the same two; ours is one that refreshes when one of them does. */
function joined(edges: readonly string[] = []): string[] {
  const distinct = new Set(edges)
  return [...distinct].filter((edge) => edge.includes(' ~> ') || !distinct.has(edge.replace(' -> ', ' ~> '))).sort()
}

/** All vertices, each through before the next is asked for. */
function orderOf(graph: Relationships): string[] {
  const traversal = new Traversal(graph)
  const order: string[] = []
  for (let vertex = traversal.next(); vertex; vertex = traversal.next()) {
    order.push(nameOf(vertex))
    traversal.finish(vertex)
  }
  return order.filter((name) => !madeByTheAgent.test(name))
}

interface RealGraph {
  readonly edges?: readonly string[]
  readonly paths?: readonly string[]
}

function realGraphs(manifests: readonly string[]): readonly RealGraph[] {
  const input = manifests.map((manifest) => JSON.stringify(manifest)).join('\n')
  const oracle = join(import.meta.dirname, '../../oracle/relationships.rb')
  const { stdout } = spawnSync('ruby', [oracle], { input, encoding: 'utf8' })
  const rows = stdout.split('\n').filter((line) => line.startsWith('{'))
  return rows.map((line) => JSON.parse(line) as RealGraph)
}

describe('the relationships of a catalog', () => {
  it.each(Object.entries(cases))('%s', (_, { manifest, edges }) => {
    const found = edgesOf(buildRelationshipGraph(appliedCatalog(manifest)))
    expect(found.filter((edge) => !ofEveryCatalog.test(edge)).sort()).toEqual([...edges].sort())
  })

  it('are those of real Puppet, and so are order and paths', () => {
    const manifests = Object.values(cases).map(({ manifest }) => manifest)
    const real = puppet.one('all manifests', manifests, () => realGraphs(manifests))
    const own = manifests.map((manifest) => {
      const catalog = appliedCatalog(manifest)
      const graph = buildRelationshipGraph(catalog)
      const managed = catalog.entries().filter((entry) => !isContainer(entry))
      const paths = managed.map(formatContainmentPath).filter((path) => path.startsWith('/Stage'))
      return { edges: edgesOf(graph).sort(), order: orderOf(graph), paths: paths.sort() }
    })
    expect(own).toEqual(
      real.map(({ edges, paths, ...rest }) => ({ edges: joined(edges), paths: paths?.toSorted(), ...rest })),
    )
  })

  it('of a type with itself go to others only, not back where an edge is, and not to what there is not', () => {
    const thing = defineType('thing', {
      doc: 'A thing that comes after all others of its letter.',
      attributes: { name: defineNamevar(textKind, 'Its name.') },
      autorequire: { thing: ({ title }) => [`${title[0]}1`, `${title[0]}2`, 'none', undefined] },
    }) as unknown as NativeTypeDefinition
    const resources = ['a1', 'a2', 'b1'].map((title) => ({
      ...{ type: 'Thing', title, tags: [], file: undefined, line: undefined, exported: false },
      ...{ kind: 'compilable_type' as const, parameters: new Map() },
    }))
    const catalog = new AppliedCatalog({ ...catalogOf(''), resources }, new Map([['thing', thing]]))
    const edges = edgesOf(buildRelationshipGraph(catalog)).filter((edge) => edge.includes('Thing'))
    expect(edges).toEqual(['Thing[a2] -> Thing[a1]'])
  })

  it.each([
    ['require', 'Could not find dependency Notify[b] for Notify[a]'],
    ['before', 'Could not find dependent Notify[b] for Notify[a]'],
  ])('of %s need both ends', (relation, said) => {
    const catalog = catalogOf(`notify { 'a': ${relation} => Notify['b'] } notify { 'b': }`)
    const resources = catalog.resources.filter(({ title }) => title !== 'b')
    expect(() => buildRelationshipGraph(new AppliedCatalog({ ...catalog, resources }, types))).toThrow(said)
  })
})

describe('a traversal', () => {
  const graphOf = (manifest: string) => buildRelationshipGraph(appliedCatalog(manifest))

  it('keeps the order of the manifest where relationships leave a choice', () => {
    const graph = graphOf(`
      notify { 'a': require => Notify['d'] }
      notify { 'b': }
      notify { 'c': before => Notify['b'] }
      notify { 'd': }`)
    const order = orderOf(graph).filter((name) => !ofEveryCatalog.test(name))
    expect(order).toEqual(['Notify[c]', 'Notify[b]', 'Notify[d]', 'Notify[a]'])
  })

  it('hands out nothing that waits for what is not through', () => {
    const graph = graphOf(`notify { 'a': } notify { 'b': require => Notify['a'] } notify { 'c': }`)
    const traversal = new Traversal(graph)
    const handed: Vertex[] = []
    for (let vertex = traversal.next(); vertex; vertex = traversal.next()) {
      handed.push(vertex)
      if (nameOf(vertex) !== 'Notify[a]') traversal.finish(vertex)
    }
    const names = handed.map(nameOf)
    expect(names).toContain('Notify[c]')
    expect(names).not.toContain('Notify[b]')
    expect(traversal.isEmpty).toBe(true)
    traversal.finish(handed.find((vertex) => nameOf(vertex) === 'Notify[a]')!)
    expect(traversal.isEmpty).toBe(false)
    expect(nameOf(traversal.next()!)).toBe('Notify[b]')
  })

  it('hands out again what was put off, once', () => {
    const traversal = new Traversal(graphOf(`notify { 'a': } notify { 'b': }`))
    const seen: string[] = []
    for (let vertex = traversal.next(); vertex; vertex = traversal.next()) {
      const name = nameOf(vertex)
      const again = name === 'Notify[a]' && !seen.includes(name)
      seen.push(name)
      if (again) traversal.enqueue(vertex)
      else traversal.finish(vertex)
    }
    expect(seen.filter((name) => name === 'Notify[a]')).toHaveLength(2)
    expect(seen.filter((name) => name === 'Notify[b]')).toHaveLength(1)
    expect(seen.filter((name) => !madeByTheAgent.test(name)).at(-1)).toBe('end Stage[main]')
  })

  it('hands out once what is told twice to be ready', () => {
    const graph = graphOf(`notify { 'a': } notify { 'b': require => Notify['a'] }`)
    const traversal = new Traversal(graph)
    const seen: string[] = []
    for (let vertex = traversal.next(); vertex; vertex = traversal.next()) {
      seen.push(nameOf(vertex))
      traversal.finish(vertex)
      traversal.finish(vertex)
    }
    expect(seen).toHaveLength(new Set(seen).size)
  })

  it('waits for what comes between while others are through', () => {
    const graph = graphOf(`notify { 'a': } notify { 'b': } notify { 'c': require => [Notify['a'], Notify['b']] }`)
    const traversal = new Traversal(graph)
    const vertices = new Map([...graph.nodes()].map((vertex) => [nameOf(vertex), vertex]))
    const [a, b, c] = ['Notify[a]', 'Notify[b]', 'Notify[c]'].map((name) => vertices.get(name)!)
    for (let vertex = traversal.next(); vertex && vertex !== b; vertex = traversal.next()) traversal.finish(vertex)
    const between: Vertex = { ...a!, priority: [...a!.priority, 1] }
    graph.addEdge(between, c!, { refreshes: false })
    traversal.graphChanged()
    traversal.finish(b!)
    expect(traversal.next()).not.toBe(c)
    traversal.finish(between)
    expect(traversal.next()).toBe(c)
  })

  it('takes in what a resource generates: after it, below its own folder, before what comes next', () => {
    const catalog = appliedCatalog(`
      file { '/d': ensure => directory }
      notify { 'after': subscribe => File['/d'] }
      notify { 'last': }`)
    const graph = buildRelationshipGraph(catalog)
    const traversal = new Traversal(graph)
    const order: string[] = []
    for (let vertex = traversal.next(); vertex; vertex = traversal.next()) {
      order.push(nameOf(vertex))
      if (nameOf(vertex) === 'File[/d]') {
        const children = ['/d/b', '/d/a', '/d/a/c', '/d'].map((path) => {
          const child = new ManagedResource(fileType, { title: path, values: new Map([['ensure', 'file']]) })
          child.parse()
          return child
        })
        addGeneratedResources(catalog, graph, vertex, children)
        traversal.graphChanged()
      }
      traversal.finish(vertex)
    }
    expect(order.slice(order.indexOf('File[/d]'), order.indexOf('end Class[Main]'))).toEqual([
      'File[/d]',
      'File[/d/b]',
      'File[/d/a]',
      'File[/d/a/c]',
      'end File[/d]',
      'Notify[after]',
      'Notify[last]',
    ])
    const edges = edgesOf(graph).filter((edge) => edge.includes('File[/d') && !edge.includes('Main'))
    expect(edges.sort()).toEqual(
      [
        'File[/d] ~> end File[/d]',
        'File[/d] -> File[/d/b]',
        'File[/d] -> File[/d/a]',
        'File[/d/a] -> File[/d/a/c]',
        'File[/d/b] ~> end File[/d]',
        'File[/d/a] ~> end File[/d]',
        'File[/d/a/c] ~> end File[/d]',
        'end File[/d] ~> Notify[after]',
      ].sort(),
    )
  })
})
