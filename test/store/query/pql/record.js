// Writes what the parser of a real PuppetDB makes of the texts of queries.js, a line of JSON each, beside this file.
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { realPql } from './oracle.js'
import { pqlQueries } from './queries.js'

const lines = realPql(pqlQueries)
const text = pqlQueries.map((query, at) => `${JSON.stringify(query)}\n${lines[at]}\n`).join('')
writeFileSync(new URL('answers.txt.gz', import.meta.url), gzipSync(text, { level: 9 }))
console.log(`${lines.length} answers, ${lines.filter((line) => line.startsWith('{"ast"')).length} of them trees`)
