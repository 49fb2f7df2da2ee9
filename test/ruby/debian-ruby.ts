import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { debianModules } from '../support/debian-modules.ts'
import { filesOf } from './beside-puppet.ts'

/** Why a function cannot say the same twice, or in real Puppet and here. */
export const left: Readonly<Record<string, string>> = {
  shuffle: 'by chance',
  str2saltedsha512: 'by chance',
  time: 'the clock',
  date: 'the clock',
  pry: 'a debugger',
  validate_cmd: 'runs a program',
  validate_augeas: 'runs a program',
  go_md5: 'needs Ruby of the module that only agents load in real Puppet',
  cert_date_valid: 'runs a program',
  augeas: 'needs a library of C',
  parsehocon: 'needs a gem',
  parsepson: 'Puppet 8 has no PSON, which is no JSON where a document is a word',
  template_body: 'fails inside of Puppet, at another method',
  redisget: 'asks another host',
  'redis::redisget': 'asks another host',
  'archive::artifactory_checksum': 'asks another host',
  'archive::artifactory_latest_url': 'asks another host',
}

/** The Ruby of the modules in files that differ from those which we answer without it. */
export function copyRuby(modules: string): void {
  for (const module of readdirSync(debianModules).filter((name) => /^[a-z]\w*$/.test(name)))
    for (const part of ['lib', 'types', 'functions', 'metadata.json']) {
      const from = join(debianModules, module, part)
      if (existsSync(from)) cpSync(from, join(modules, module, part), { recursive: true, dereference: true })
    }
  for (const folder of ['lib/puppet/functions', 'lib/puppet/parser/functions'])
    for (const [module, path] of filesOf(modules, folder, '.rb')) {
      const file = join(modules, module, folder, path)
      writeFileSync(file, `${readFileSync(file, 'utf8')}\n# as Ruby\n`)
    }
}
