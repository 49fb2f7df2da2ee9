import { describe, expect, it } from 'vitest'
import { dataFunctions } from '../../../src/compiler/hiera/data-functions.ts'
import { hieraHost, puppetFunction, said } from './hiera-of.ts'

const texts = { yaml_data: 'k: [1, two]\n', json_data: '{"k": [1, "two"]}', hocon_data: 'k = [1, two]\n' }

/** A data function that adds to what a backend reads. */
function host(backend: string, text: string, options = '$options') {
  const body = `${backend}(${options}, $context) + { 'more' => 3 }`
  const hiera = `
version: 5
hierarchy:
  - name: one
    data_hash: m_data
    path: d
`
  const functions = [puppetFunction('m_data', ['options', 'context'], body), ...dataFunctions.values()]
  return hieraHost({ 'hiera.yaml': hiera, 'data/d': text }, {}, functions)
}

describe.each(Object.entries(texts))('%s, called by a data function', (name, text) => {
  it('reads the file', () => {
    expect(said("[lookup('k'), lookup('more')]", host(name, text))).toBe("[[1, 'two'], 3]")
  })

  it('wants a path', () => {
    expect(said("lookup('k')", host(name, text, '{}'))).toContain(
      `'${name}' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml`,
    )
  })

  it('says when the file is not there', () => {
    expect(said("lookup('k')", host(name, text, "{ path => '/nowhere' }"))).toContain(
      'No such file or directory @ rb_sysopen - /nowhere',
    )
  })
})
