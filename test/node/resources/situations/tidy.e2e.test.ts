import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const tree = {
  'd/a.log': 'aaa',
  'd/b.log': 'bbbbbbbbbb',
  'd/c.txt': 'c',
  'd/.hidden.log': 'h',
  'd/sub/e.log': 'e',
  'd/sub/deep/f.log': 'f',
  'd/empty/.keep': '',
  'd/l.log': '-> a.log',
}

const tidy = (attributes: string) => ({ files: tree, manifest: `tidy { '@/d': ${attributes} }` })

situations(puppet, 'tidy', [], {
  'nothing but a path': tidy('age => 0'),
  'recurse without matches': tidy('recurse => true'),
  'recurse with a match': tidy("recurse => true, matches => '*.log'"),
  'recurse with several matches': tidy("recurse => true, matches => ['a.*', '[bc].*', '*.none']"),
  'matches without recurse': tidy("matches => '*.log'"),
  'matches of a path': tidy("recurse => true, matches => 'sub/*.log'"),
  'matches in braces and with an exclamation mark': tidy("recurse => true, matches => ['{a,e}.log', '[!abc]*.log']"),
  'recurse of one level': tidy("recurse => 1, matches => '*.log'"),
  'recurse of zero': tidy("recurse => 0, matches => '*.log'"),
  'recurse of two as text': tidy("recurse => '2', matches => '*.log'"),
  'recurse => inf': tidy("recurse => inf, matches => '*.log'"),
  'recurse => false': tidy('recurse => false'),
  'recurse of a word that is unknown': tidy('recurse => deep'),
  'recurse that is negative': tidy("recurse => -1, matches => '*.log'"),
  rmdirs: tidy("recurse => true, rmdirs => true, matches => '*.log'"),
  'rmdirs without matches': tidy('recurse => true, rmdirs => true'),
  'rmdirs of a folder that stays in use': tidy("recurse => true, rmdirs => true, matches => 'f.log'"),
  'size of bytes': tidy("recurse => true, size => '4b'"),
  'size in each unit': {
    files: { 'd/k': 'x'.repeat(1024), 'd/k1': 'x'.repeat(1025), 'd/m': 'x'.repeat(2048) },
    manifest:
      "tidy { '@/d': recurse => true, size => '1k' } tidy { 'g': path => '@/d', recurse => true, size => '1G' }",
  },
  'size in capitals and words': {
    files: { 'd/k': 'x'.repeat(1025) },
    manifest: "tidy { '@/d': recurse => true, size => '1KB' }",
  },
  'a size that is wrong': tidy("size => '1x'"),
  'age that no file has': tidy("recurse => true, age => '1w'"),
  'age of zero seconds': tidy("recurse => true, age => '0s', matches => '*.log'"),
  'age in each unit': tidy("recurse => true, age => '1h', type => ctime, matches => '*.log'"),
  'an age that is wrong': tidy("age => '1y'"),
  'age of a number': tidy('recurse => true, age => 1'),
  'age and size together': tidy("recurse => true, age => '1w', size => '4b'"),
  'a type that is wrong': tidy("age => 1, type => 'btime'"),
  'backup of what goes': tidy("recurse => true, matches => 'a.log', backup => '.bak'"),
  'a path that does not exist': "tidy { '@/none': recurse => true }",
  'a path that is a file': { files: { f: 'x' }, manifest: "tidy { '@/f': }" },
  'a path that is a file, with matches': {
    files: { 'f.log': 'x' },
    manifest: "tidy { '@/f.log': matches => '*.log' }",
  },
  'a path that is a link to a folder': {
    files: { ...tree, l: '-> @/d' },
    manifest: "tidy { '@/l': recurse => true, matches => '*.log' }",
  },
  'a link that leads nowhere': {
    files: { 'd/dead': '-> /none', 'd/x': 'x' },
    manifest: "tidy { '@/d': recurse => true }",
  },
  'a file that is managed, too': {
    files: tree,
    manifest: "tidy { '@/d': recurse => true, matches => '*.log' } file { '@/d/a.log': content => 'kept' }",
  },
  'a relative path': "tidy { 'd': recurse => true }",
  noop: { files: tree, noop: true, manifest: "tidy { '@/d': recurse => true, matches => '*.log', rmdirs => true }" },
  'a run that notifies': {
    files: tree,
    manifest: "tidy { '@/d': recurse => true, matches => '*.log' } ~> notify { 'tidied': }",
  },
  'the metaparameters of what goes': {
    files: tree,
    manifest: "tidy { '@/d': recurse => true, matches => 'a.log', loglevel => warning, tag => 'mine' }",
  },
  'a depth and a maximum': tidy("recurse => true, max_files => 2, matches => '*.log'"),
  'a maximum that is wrong': tidy("recurse => true, max_files => 'many'"),
})
