import fc from 'fast-check'
import { PuppetError } from '../../../dist/base/issue.js'
import { formatExactJson, parseJson } from '../../../dist/base/json/json-text.js'
import { readRichData, toRichData } from '../../../dist/language/rich-data/rich-data.js'
import { formatCatalog } from '../../../dist/model/catalog-text.js'
import { catalogFromWire } from '../../../dist/model/catalog-wire.js'
import { exportsFromWire, exportsToWire } from '../../../dist/model/exported-resource.js'
import { fileMetadataFromWire } from '../../../dist/model/file-metadata.js'
import { allowing, textOf } from '../target.js'

const refusals = [PuppetError]

/** A catalog as an agent is sent it, rich data and all: refused in words, or written again. @type {import('../target.js').Target} */
export default {
  name: 'catalog',
  seeds: [
    '{"name":"web1","version":"abc","code_id":"abc","catalog_uuid":"u","catalog_format":2,"environment":"production","tags":["a"],"classes":["settings"],"resources":[{"type":"File","title":"/a","tags":["file"],"file":"x.pp","line":3,"exported":false,"parameters":{"content":{"__ptype":"Sensitive","__pvalue":"s"},"mode":"0644"},"sensitive_parameters":["content"]}],"edges":[{"source":"Stage[main]","target":"File[/a]"}],"metadata":{"/a":{"path":"/x","relative_path":null,"links":"manage","owner":0,"group":0,"mode":420,"checksum":{"type":"sha256","value":"{sha256}00"},"type":"file","destination":null,"content_uri":"puppet:///modules/a/files/b"}},"recursive_metadata":{"/d":{"puppet:///modules/a/d":[]}}}',
    '{"name":"w","resources":[{"type":"T","title":"t","parameters":{"a":{"__ptype":"Timespan","__pvalue":"1-02:03:04.5"},"b":{"__ptype":"Regexp","__pvalue":"a+"},"c":{"__ptype":"Hash","__pvalue":[1,2]},"d":{"__ptype":"Deferred","name":"f","arguments":[1]},"e":{"__ptype":"Pcore::IntegerType","from":1,"to":2},"f":{"__pref":"$.a"}}}]}',
    '{"certname":"w","resources":[{"type":"T","title":"t","tags":[],"parameters":{"x":1}}],"a":{"__ptype":"Timestamp","__pvalue":"2026-01-01T00:00:00.000000000 UTC"},"b":{"__ptype":"SemVer","__pvalue":"1.2.3"},"c":{"__ptype":"Binary","__pvalue":"aGk="},"d":{"__ptype":"Default"},"e":{"__ptype":"URI","__pvalue":"http://a/"},"g":{"__ptype":"SemVerRange","__pvalue":">=1.0.0 <2.0.0"}}',
  ],
  dictionary: [
    '"__ptype":',
    '"__pvalue":',
    '"__pref":',
    '"Sensitive"',
    '"Hash"',
    '"Timestamp"',
    '"Timespan"',
    '"Regexp"',
    '"SemVer"',
    '"SemVerRange"',
    '"Binary"',
    '"Deferred"',
    '"URI"',
    '"Pcore::IntegerType"',
    '"Pcore::ObjectType"',
    '"Integer[1,2]"',
    '"Struct[{a=>Integer}]"',
    '"parameters":',
    '"resources":',
    '"edges":',
    '"metadata":',
    '"recursive_metadata":',
    '"__proto__":',
    '{',
    '}',
    '[',
    ']',
    '$.',
    'null',
    ',',
  ],
  grammar: fc
    .json({ maxDepth: 4 })
    .map(
      (value) =>
        `{"name":"w","resources":[{"type":"T","title":"t","parameters":{"a":{"__ptype":"Hash","__pvalue":${value}},"b":${value}}}],"tags":[]}`,
    ),
  run(bytes) {
    const json = allowing([SyntaxError, PuppetError], () => parseJson(textOf(bytes)))
    if (json === undefined) return
    allowing(refusals, () => fileMetadataFromWire(json))
    const exported = allowing(refusals, () => exportsFromWire(json, 'w'))
    if (exported) allowing(refusals, () => formatExactJson(exportsToWire('w', exported)))
    const value = allowing(refusals, () => [readRichData(json)])
    if (value) allowing(refusals, () => toRichData(value[0], { richData: true, warn: () => {} }))
    const catalog = allowing(refusals, () => catalogFromWire(json))
    if (catalog) allowing(refusals, () => formatCatalog(catalog, { richData: true, warn: () => {} }))
  },
}
