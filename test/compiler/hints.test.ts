import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { PuppetError } from '../../src/base/issue.ts'
import { openCommandLineCode } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { plainRequest } from '../support/plain-request.js'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('hints')
const modules = {
  'web/manifests/init.pp': 'class web(Integer $port = 80) { $root = "/srv" }',
  'web/manifests/vhost.pp': 'define web::vhost($docroot) { }',
  'web/manifests/mod/ssl.pp': 'class web::mod::ssl { }',
  'bare/functions/f.pp': 'function bare::f() { 1 }',
  'web/types/port.pp': 'type Web::Port = Integer[0, 65535]',
}
for (const [path, text] of Object.entries(modules)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function hintFor(text: string): string | undefined {
  try {
    compile(plainRequest(openCommandLineCode({ name: 'production', modulepath: [folder], manifest: { text } })))
  } catch (error) {
    if (error instanceof PuppetError) return error.diagnostic.hint
    throw error
  }
  return 'nothing was wrong'
}

it.each([
  ['$port = 1 notice($prot)', "Did you mean '$port'?"],
  ['include web notice($web::rot)', "Did you mean '$web::root'?"],
  ['notcie(1)', "Did you mean 'notice'?"],
  ['include wbe', "Did you mean 'web'?"],
  ['include bare', undefined],
  ['include web::mod::sls', "Did you mean 'web::mod::ssl'?"],
  ['class { wbe: }', "Did you mean 'web'?"],
  ['class { web: prot => 1 }', "Did you mean 'port'?"],
  ['fiel { "/x": }', "Did you mean 'file'?"],
  ['web::vhots { x: }', "Did you mean 'web::vhost'?"],
  ['web::vhost { x: docrot => 1 }', "Did you mean 'docroot'?"],
  ['file { "/x": contnet => a }', "Did you mean 'content'?"],
  ['file { "/x": reqiure => Notify[a] }', "Did you mean 'require'?"],
  ['$x = Intger', "Did you mean 'Integer'?"],
  ['$x = Web::Prot', "Did you mean 'Web::Port'?"],
  ['$x = Fiel["/x"]', "Did you mean 'File'?"],
  ['$x = Qwertyuiop', undefined],
  [
    'notice($qwertyuiop)',
    'Unknown variables are errors with strict_variables = true or strict = error, the defaults of Puppet 8.',
  ],
])('%s', (code, hint) => {
  expect(hintFor(code)).toBe(hint)
})
