import { describe, expect, it } from 'vitest'
import { formatExactJson, parseJson } from '../../src/base/json/json-text.ts'
import { openCommandLineCode } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { RuntimeValue } from '../../src/language/values/runtime-value.ts'
import type { Catalog } from '../../src/model/catalog.ts'
import { diffCatalogs } from '../../src/model/catalog-diff.ts'
import { addCatalogUuid, formatCatalog } from '../../src/model/catalog-text.ts'
import { catalogFromWire, catalogToWire } from '../../src/model/catalog-wire.ts'
import { createPlainNode } from '../../src/model/node.ts'
import { plainRequest } from '../support/plain-request.js'

function compiled(text: string) {
  const environment = openCommandLineCode({ name: 'production', modulepath: [], manifest: { text } })
  return compile(plainRequest(environment, { node: createPlainNode('node.example.com', 'production') }))
}

const catalogOf = (text: string): Catalog => compiled(text).catalog

const textOf = (catalog: Catalog): string => formatExactJson(catalogToWire(catalog, { richData: true }))

describe('a catalog on the wire', () => {
  it.each([
    ["{'10' => 1.0, '9' => 1e20, 'a' => [1.5e-7, -0.0]}", '{"10":1.0,"9":1.0e+20,"a":[1.5e-07,-0.0]}'],
    ['[1152921504606846976, -9223372036854775807]', '[1152921504606846976,-9223372036854775807]'],
    ['{1 => 1.0, 1.0 => /a/}', '{"__ptype":"Hash","__pvalue":[1,1.0,1.0,{"__ptype":"Regexp","__pvalue":"a"}]}'],
    ['Sensitive({2 => 2.0})', '{"__ptype":"Hash","__pvalue":[2,2.0]}'],
  ])('has %s as %s, and gives it back', (value, json) => {
    const catalog = catalogOf(`notify { 'it': message => ${value} }`)
    const text = textOf(catalog)
    expect(text).toContain(`"parameters":{"message":${json}}`)
    expect(textOf(catalogFromWire(parseJson(text)))).toBe(text)
    expect(textOf(catalogOf(`notify { 'it': message => ${value} }`))).toBe(text)
  })

  it('is the bytes that its UUID was made of', () => {
    const { catalog, bytes } = compiled(`notify { '"catalog_uuid":""': tag => 'x' }`)
    expect(new TextDecoder().decode(bytes)).toBe(textOf(catalog))
    expect(catalog.catalogUuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  describe('with strings that are not UTF-8', () => {
    const raw = "inline_epp('<%= $x %>', { x => $bytes })"
    const withBytes = (code: string, bytes = '\udcff\udcad') =>
      compile(
        plainRequest(openCommandLineCode({ name: 'production', modulepath: [], manifest: { text: code } }), {
          node: createPlainNode('node.example.com', 'production'),
          facts: { bytes },
        }),
      ).catalog

    it.each([
      ["file { '/x': content => $bytes }", '"content":{"__ptype":"Binary","__pvalue":"/60="}'],
      [`file { '/x': content => ${raw} }`, '"content":{"__ptype":"Binary","__pvalue":"/60="}'],
      ["file { '/x': content => Sensitive($bytes) }", '"content":{"__ptype":"Binary","__pvalue":"/60="}'],
      ["define d($p) { } d { 'x': p => [$bytes] }", '"p":[{"__ptype":"Binary","__pvalue":"/60="}]'],
      [
        "class c($p) { } class { 'c': p => { $bytes => 1 } }",
        '"p":{"__ptype":"Hash","__pvalue":[{"__ptype":"Binary","__pvalue":"/60="},1]}',
      ],
    ])('%s sends a Binary', (code, json) => {
      expect(textOf(withBytes(code))).toContain(json)
    })

    it('sends bytes that are UTF-8 together as a string', () => {
      expect(textOf(withBytes("file { '/x': content => $bytes }", '\udce2\udc82\udcac'))).toContain('"content":"€"')
    })

    it.each([
      ["notify { 'n': message => $bytes }", "Notify[n]['message']"],
      ["exec { '/bin/true': environment => ['A', $bytes] }", "Exec[/bin/true]['environment'][1]"],
    ])('%s is an error that names the resource', (code, path) => {
      const catalog = withBytes(code)
      const why = `${path} contains a String that is not valid UTF-8. It cannot be converted to JSON`
      expect(() => formatCatalog(catalog, { richData: true })).toThrow(why)
      expect(() => formatCatalog(catalog, { richData: true, warn() {} })).toThrow(why)
    })

    it('is an error without rich data', () => {
      const catalog = withBytes("file { '/x': content => $bytes }")
      expect(() => formatCatalog(catalog, { richData: false, warn() {} })).toThrow(
        "File[/x]['content'] contains a String",
      )
    })
  })

  describe('of a value that no JSON says', () => {
    const value = new RuntimeValue({ id: 1, className: 'Thing', text: 'a thing', isModule: false })
    const catalog = catalogOf("notify { 'it': message => 1 }")
    const { catalog: made } = addCatalogUuid({
      ...catalog,
      resources: catalog.resources.map((each) =>
        each.title === 'it' ? { ...each, parameters: new Map([['message', value]]) } : each,
      ),
    })

    it.each([true, false])('warns of its text where that is allowed (rich data: %s)', (richData) => {
      const warnings: string[] = []
      const warn = ({ message }: { message: string }) => void warnings.push(message)
      expect(formatCatalog(made, { richData, warn })).toContain('"message":"a thing"')
      expect(warnings).toEqual([expect.stringContaining("Notify[it]['message'] contains")])
    })

    it.each([true, false])('is refused where it is not (rich data: %s)', (richData) => {
      expect(() => formatCatalog(made, { richData })).toThrow("Notify[it]['message'] contains")
    })
  })

  it('differs where a number does, or the order of keys', () => {
    const parametersOf = (from: string, to: string) =>
      diffCatalogs(
        catalogOf(`notify { 'it': message => ${from} }`),
        catalogOf(`notify { 'it': message => ${to} }`),
      ).changed.map(({ parameters }) => formatExactJson(parameters))
    expect(parametersOf('1', '1.0')).toEqual(['[{"name":"message","from":1,"to":1.0}]'])
    expect(parametersOf('1152921504606846976', '1152921504606846977')).toEqual([
      '[{"name":"message","from":1152921504606846976,"to":1152921504606846977}]',
    ])
    expect(parametersOf("{'10' => 1, '9' => 2}", "{'9' => 2, '10' => 1}")).toEqual([
      '[{"name":"message","from":{"10":1,"9":2},"to":{"9":2,"10":1}}]',
    ])
  })
})
