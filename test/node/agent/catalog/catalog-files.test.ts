import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatExactJson, parseJson } from '../../../../src/base/json/json-text.ts'
import { localFiles } from '../../../../src/machine/system/files.ts'
import type { CatalogWire } from '../../../../src/model/catalog.ts'
import type { SignedCatalog } from '../../../../src/model/catalog-signature.ts'
import {
  createCatalogFiles,
  jsonCatalogFormat,
  yamlCatalogFormat,
} from '../../../../src/node/agent/catalog/catalog-files.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
const folder = scratchFolder('cache')
const text = `{"name":"a.test","version":1,"environment":"production","tags":[],"edges":[],"classes":[],"resources":[{
  "type":"Notify","title":"it's \\u001b[1m","tags":["a"],"exported":false,"kind":"compilable_type",
  "parameters":{"message":{"10":1.0,"9":1152921504606846977,"no":[null,{}]}}}]}`
const wire = parseJson(text) as CatalogWire
const signature = 'aa.bb-_.cc'
const catalog: SignedCatalog = { wire, text: formatExactJson(wire), signature }
const key = 'a.test'

describe.each([
  ['json', jsonCatalogFormat],
  ['yaml', yamlCatalogFormat],
])('a catalog in a file of %s', (extension, format) => {
  const path = join(folder, 'catalog', `a.test.${extension}`)
  const cache = createCatalogFiles(localFiles, folder, format)

  it('is for its owner alone, also where others could read one before, and is read as it was written', async () => {
    expect(await cache.find({ key })).toBe(undefined)
    await localFiles.makeDirectory(join(folder, 'catalog'))
    await localFiles.write(path, '{}', 0o644)
    await cache.save(catalog, { key })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const { wire: kept, ...rest } = (await cache.find({ key }))!
    expect(formatExactJson(kept)).toBe(formatExactJson(wire))
    expect(rest).toEqual({ text: catalog.text, signature })
  })

  it('is saved without the leftovers of killed runs, but with those of runs that may still write', async () => {
    const [old, fresh] = ['0', '1'].map((digit) => join(folder, `catalog/.a.test.${extension}.${digit.repeat(12)}.tmp`))
    for (const each of [old!, fresh!]) writeFileSync(each, 'half')
    const earlier = new Date(Date.now() - 601_000)
    utimesSync(old!, earlier, earlier)
    await cache.save(catalog, { key })
    expect([old!, fresh!].map((each) => existsSync(each))).toEqual([false, true])
  })

  it('is refused where a single byte of it has changed, or its end is gone', async () => {
    await cache.save(catalog, { key })
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, whole.replace('a.test', 'b.test'))
    await expect(cache.find({ key })).rejects.toThrow(`${path} is damaged: its digest does not match`)
    for (const part of [whole.slice(0, -1), whole.slice(0, whole.length / 2), whole.replace('"9"', '"8"')]) {
      writeFileSync(path, part)
      await expect(cache.find({ key })).rejects.toThrow(/./)
    }
  })

  it('is read where Puppet wrote it, without a digest', async () => {
    const plain = extension === 'json' ? text : `--- !ruby/object:Puppet::Resource::Catalog\nname: "n"\nversion: 1.5\n`
    writeFileSync(path, plain)
    const { wire: kept, signature } = (await cache.find({ key }))!
    expect(kept).toMatchObject({ version: extension === 'json' ? 1 : 1.5 })
    expect(signature).toBe(undefined)
  })

  it('keeps no signature of bytes that it cannot give back', async () => {
    const spaced = ` ${catalog.text}`
    await cache.save({ ...catalog, text: spaced }, { key })
    expect(await cache.find({ key })).toMatchObject({ text: catalog.text, signature: undefined })
    const claims = `{"signature":"zz.zz.zz",${catalog.text.slice(1)}`
    const claimed = parseJson(claims) as CatalogWire
    await cache.save({ wire: claimed, text: claims, signature: undefined }, { key })
    expect(await cache.find({ key })).toMatchObject({ text: claims, signature: undefined })
  })

  it('is of no node whose name is a path', async () => {
    await expect(cache.find({ key: '../a' })).rejects.toThrow()
  })
})

/** Has real Puppet read the files as its own termini do. Of a catalog in YAML it does not even read its own resources. */
const reading = `
require 'puppet'
Puppet.initialize_settings(ARGV[0, 4])
def found(terminus)
  Puppet::Resource::Catalog.indirection.terminus_class = terminus
  Puppet::Resource::Catalog.indirection.find('a.test')
end
puts found(:json).resources[0][:message].to_json
puts found(:yaml).class`

it('real Puppet reads them', async () => {
  const [confdir, vardir] = [join(folder, 'conf'), join(folder, 'var')]
  await createCatalogFiles(localFiles, join(vardir, 'client_data'), jsonCatalogFormat).save(catalog, { key })
  await createCatalogFiles(localFiles, join(vardir, 'client_yaml'), yamlCatalogFormat).save(catalog, { key })
  const files = ['client_data/catalog/a.test.json', 'client_yaml/catalog/a.test.yaml']
  const texts = files.map((file) => readFileSync(join(vardir, file), 'utf8'))
  const words = ['-W0', '-e', reading, '--', '--confdir', confdir, '--vardir', vardir]
  const { stdout, stderr } = puppet.one('files', { reading, texts }, () => {
    const asked = spawnSync('ruby', words, { encoding: 'utf8' })
    return { stdout: asked.stdout, stderr: asked.stderr }
  })
  const message = '{"10":1.0,"9":1152921504606846977,"no":[null,{}]}'
  expect(stdout.split('\n'), stderr).toEqual([message, 'Puppet::Resource::Catalog', ''])
})
