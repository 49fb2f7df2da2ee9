const jetty = 'What no route is there for we answer as the indirected routes of Puppet do; theirs is a page of Jetty.'
const json = 'A word of the parser of JSON.'
const schema = 'Theirs is the address of an object in memory.'
const versioned = 'Their program for code ids failed before; there is none with a repository.'
const real =
  'The catalog names the commit of its modules; what is virtual or exported and nobody collects is not in it, which theirs would have applied.'
const head =
  'HEAD tells what GET would (RFC 9110, 9.3.2); theirs says of every file that it is not there, for its terminus knows no HEAD. Agents ask so of file buckets alone.'

/** Requests that we answer otherwise than Puppet Server 7.9.5, each with the reason; how is in ours.json. */
export const reasons: Readonly<Record<string, string>> = {
  'v4: no JSON': json,
  'v4: empty': schema,
  'v4: a list': schema,
  'v4: null': schema,
  'v4: no environment of this name': versioned,
  'v4: rich data': 'Theirs says Evaluation Error before it, as of a call.',
  'v4: logs of level debug': 'Theirs has a message of its cache of environments.',
  'compile: no JSON': json,
  'compile: for a plan': 'Their setting for the modules of Bolt is none of ours.',
  'compile: a catalog': real,
  'compile: logs': real,
  'compile: variables in a list': 'Theirs takes a list for plans alone, and fails with a word of Ruby.',
  'compile: an AST that is no JSON': 'What the client sent wrongly is 400; theirs is 500.',
  'compile: an AST that is none': 'Theirs compiles nothing, and says so to nobody.',
  'compile: an AST of no kind': 'What the client sent wrongly is 400; theirs is 500.',
  'compile: GET': jetty,
  'tasks: with a slash': jetty,
  'tasks: a module alone': jetty,
  'tasks: demo/a::b': jetty,
  'tasks: HEAD': jetty,
  'tasks: POST': jetty,
  'tasks: demo/broken': json,
  'tasks: demo/many': 'A link inside the commit leads to a file of it; their git show prints where it leads.',
  'tasks: of an unknown environment': versioned,
  'transports: an unknown environment': 'As the other information endpoints answer.',
  'accept: pson of a node': 'No parameters are an empty object here.',
  'accept: anything of a node': 'No parameters are an empty object here.',
  'accept: msgpack of a catalog': 'The recorded server has no gem for it.',
  'accept: yaml of a node': 'YAML with objects of Ruby is not written.',
  'facts: text/json': 'JSON by its other name is taken.',
  'facts: no pson': json,
  'facts: GET': jetty,
  'files: HEAD': head,
  'files: content, HEAD': head,
  'static: HEAD': head,
  'files: POST': jetty,
  'files: DELETE': jetty,
  environments: 'The setting of the recorded server is another.',
  'environments: no Accept': 'The setting of the recorded server is another.',
  'unknown indirection': 'As Puppet says it where a request reaches its routes.',
}
