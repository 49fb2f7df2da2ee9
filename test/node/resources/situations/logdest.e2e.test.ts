import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { commandSituations } from './command-situations.ts'

const manifest =
  "notify { 'n': } notify { 'w': loglevel => warning } notify { 'e': loglevel => err } notify { 'i': loglevel => info }"
const apply = (...words: readonly string[]) => ['apply', '-e', manifest, ...words]

commandSituations(recordedAnswers(import.meta.filename, 'Puppet 7.23.0'), 'logdest', {
  console: [apply('--logdest', 'console')],
  'a file': [apply('--logdest', '@/log')],
  'a file and the console': [apply('--logdest', '@/log', '--logdest', 'console')],
  'several in one word': [apply('--logdest', '@/log,console')],
  'several with a blank': [apply('--logdest', '@/one, @/two')],
  'the short option': [apply('-l', '@/log')],
  'two files': [apply('--logdest', '@/one', '--logdest', '@/two')],
  'one file twice': [apply('--logdest', '@/log', '--logdest', '@/log')],
  'a file that is there': ['echo before > @/log', apply('--logdest', '@/log')],
  'a file in a folder that is missing': [apply('--logdest', '@/none/log')],
  'a file in two folders that are missing': [apply('--logdest', '@/none/other/log')],
  'an empty destination': [apply('--logdest', '')],
  'with --verbose': [apply('--logdest', '@/log', '--verbose')],
  'with --log_level warning': [apply('--logdest', '@/log', '--log_level', 'warning')],
  'with --log_level err on the console': [apply('--logdest', 'console', '--log_level', 'err')],
  'by the setting': [apply('--logdest', 'console', '--logdest', '@/log', '--noop')],
  'a warning of the compiler': [
    [
      'apply',
      '-e',
      "warning('w') notice('n') err('e') info('i') alert('a') crit('c') emerg('m')",
      '--logdest',
      '@/log',
    ],
  ],
  'a message of two lines': [['apply', '-e', 'notify { "one\\ntwo": }', '--logdest', '@/log']],
  'a message with other letters': [['apply', '-e', "notify { 'gr\u{fc}n \u{20ac}': }", '--logdest', '@/log']],
  'a difference': [
    'echo old > @/x',
    ['apply', '-e', "file { '@/x': content => 'new' }", '--logdest', '@/log', '--show_diff'],
  ],
  'Sensitive messages': [['apply', '-e', "notify { 'a': message => Sensitive('secret') }", '--logdest', '@/log']],
})
