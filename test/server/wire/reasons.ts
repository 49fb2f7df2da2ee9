const jetty = 'What no route is there for we answer as the indirected routes of Puppet do; theirs is a page of Jetty.'
const json = 'A word of the parser of JSON.'
const schema = 'Theirs is the address of an object in memory.'
const versioned = 'Their program for code ids failed before; there is none with a repository.'
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
