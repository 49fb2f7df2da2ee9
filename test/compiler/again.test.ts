import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CompileEnvironment } from '../../src/code/environments/compile-environment.ts'
import { openCommandLineCode } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { plainRequest } from '../support/plain-request.js'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('again')

let written = 0

/** An environment of its own, in which a node is of a class with the code. */
function environmentOf(code: string): CompileEnvironment {
  const files = {
    'probe/manifests/init.pp': `class probe {\n${code}\n}\n`,
    'web/manifests/init.pp': 'class web($port) { $own = "port ${port}" }',
    'web/templates/x.erb': "<%= @list.join(' ') %> <%= @facts['x'] %> <%= @hash['a'] %>",
  }
  const modules = join(folder, String(written++))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(modules, path)), { recursive: true })
    writeFileSync(join(modules, path), text)
  }
  return openCommandLineCode({ name: 'production', modulepath: [modules], manifest: { text: 'include probe' } })
}

function resourcesFor(x: number, environment: CompileEnvironment): string[] {
  const { resources } = compile(plainRequest(environment, { facts: { x } })).catalog
  return resources.map(({ type, title, tags, parameters }) => `${type}[${title}] ${tags} ${[...parameters]}`)
}

/** What is kept of code for the next catalog must not depend on the catalog that it was first met in. */
describe('code that was compiled for one node', () => {
  const pieces: Readonly<Record<string, string>> = {
    "a parameter of a class's": "class { web: port => $facts['x'] } notify { 'n': message => Class['web']['port'] }",
    'a parameter of a resource':
      "notify { 'm': message => $facts['x'] } notify { 'n': message => Notify['m']['message'] }",
    'a parameter of one that Resource names':
      "notify { 'm': message => $facts['x'] } notify { 'n': message => Resource['notify', 'm']['message'] }",
    'a variable of a class': "class { web: port => $facts['x'] } notify { 'n': message => $web::own }",
    'a type of values': "$max = $facts['x'] notify { 'n': message => String(2 =~ Integer[0, $max]) }",
    'a type in a variable': "$type = [Integer, String][$facts['x'] - 1] notify { 'n': message => String(5 =~ $type) }",
    'titles by names': "['a', 'b'][0, $facts['x']].each |$t| { notify { $t: } } notify { 'n': message => 'x' }",
    'attributes of a splat': "$more = { 1 => {}, 2 => { message => 'two' } } notify { 'n': * => $more[$facts['x']] }",
    'a match': "$m = \"x${facts['x']}\" ? { /x(\\d)/ => $1 } notify { 'n': message => $m }",
    'a template':
      "$list = [$facts['x'], 'b'] $hash = { 'a' => $facts['x'] } notify { 'n': message => template('web/x.erb') }",
    tags: "tag(\"t${facts['x']}\") notify { 'n': message => 'x' }",
  }

  it.each(Object.entries(pieces))('is the same as new for another: %s', (_, code) => {
    const environment = environmentOf(code)
    const [first, second] = [resourcesFor(1, environment), resourcesFor(2, environment)]
    expect(second).not.toEqual(first)
    // A comment makes it other code, of which nothing is kept.
    expect(second).toEqual(resourcesFor(2, environmentOf(`${code} # new`)))
    expect(resourcesFor(1, environment)).toEqual(first)
  })
})
