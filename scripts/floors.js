// The floors of the house, as data: test/architecture.test.ts holds src/ to them, docs/architecture.md shows them.

/**
 * The rooms of a floor, each with what it holds. A room imports lower floors only, never a neighbour on its own floor.
 * @typedef {Readonly<Record<string, string>>} Floor
 */

/** @type {readonly Floor[]} The lowest floor first. */
export const floors = [
  { base: 'what never heard of Puppet or Ruby: sources, issues, graphs, text, threads, budgets' },
  {
    'ruby-semantics': 'what Ruby and YAML 1.1 mean: Psych, regular expressions, strftime, URIs, random, numbers',
    trace: 'a result recalled when all that it read is as it was',
  },
  {
    language: 'the Puppet language: text to values and declarations',
    system: 'this machine',
    indirector: 'a model, a terminus to find and save it, a cache in front of it',
    x509: 'certificates and requests, as bytes',
  },
  {
    settings: 'the settings, and their files',
    model: 'what travels',
    git: 'objects and refs of a repository',
    ruby: 'the Ruby of modules, in WebAssembly',
    'module-functions': "modules' functions that need no Ruby, each proven equal to files of Ruby",
  },
  {
    environments: 'a ref or a folder as a tree',
    facts: 'what a node says of itself',
    resources: 'types and providers',
    client: 'requests to a server',
    audit: 'who got and pushed what: a log that is chained by hashes',
    outside: 'what code asks of the world: DNS, HTTP; all such answers as inputs',
  },
  {
    hiera: 'data',
    ca: 'the certificate authority',
    store: 'what is kept of nodes',
    policy: 'rules about catalogs, and their exceptions',
  },
  { compiler: 'node, facts and code tree to catalog', pages: 'the console: what is known of nodes, as HTML' },
  {
    termini: 'where each model is found and saved',
    deploy: 'what a push does',
    impact: 'what other code does to nodes',
  },
  { gate: 'what a push has to pass before it lands' },
  { agent: "the node's side of a run", server: 'HTTPS, authorization, the endpoints' },
  { doctor: 'what is wrong with an installation', migration: "a Puppet Server's files, taken over" },
  { cli: 'a file a command, and the table of them' },
  { 'main.ts': 'the words of the command line', 'api.ts': 'the package, for programs' },
]

/** @type {Readonly<Record<string, readonly Floor[]>>} The floors inside a room, by the same rule. */
export const innerFloors = {
  language: [
    {
      syntax: 'text to a checked tree: lexer, parser, tree, validation',
      'pcore-ast': "Puppet's AST as data, to code",
      values: 'what expressions are worth; types are values, as plain data',
    },
    { types: 'what types say: instances, assignability, their text, mismatches, `Type.new`' },
    { 'rich-data': 'values as they travel in JSON', evaluator: 'a tree to a value' },
    { functions: 'the functions of the language' },
  ],
  compiler: [
    { request: 'what is asked of a compilation, and what it says: messages and errors' },
    { code: "what the commit's code defines, found by name" },
    { reads: 'notes on what a compilation reads', provenance: 'notes on what values come from' },
    { catalog: 'the catalog in the making: resources, scopes, what waits' },
    {
      evaluate: 'code is run: classes, definitions, collectors, overrides',
      ruby: "the modules' Ruby: its machines, and the types that it defines",
    },
    {
      begin: 'a compilation put together, before any code runs',
      finish: 'relationships, late overrides, checks, what containers hand down',
      write: 'the catalog as it goes out: resources, edges, metadata of files, exports',
    },
    {
      'compile.ts': 'a catalog, phase by phase',
      'run-script.ts': 'code run without a catalog, or after one',
      'check-catalog.ts': 'policies asked about a catalog',
      explain: 'where a resource of a catalog, and each of its values, came from',
    },
    { recall: 'catalogs of earlier compilations, good while all that they read is as it was' },
    { workers: 'threads that compile', coverage: 'code that no node has used' },
  ],
}

/** @type {Readonly<Record<string, string>>} Files that belong to no inner floor, each with the reason. */
export const borders = {
  'language/host.ts': 'interfaces alone: all that the language asks of outside, known to each of its rooms',
}

/** @type {Readonly<Record<string, readonly string[]>>} Rooms that promise more: they import nothing but these. */
export const only = {
  trace: ['base'],
  language: ['base', 'ruby-semantics'],
  indirector: ['base', 'ruby-semantics'],
}

/** @type {Readonly<Record<string, string>>} Files of more than 400 lines, each with the reason. */
export const largeFiles = {}

/** @type {Readonly<Record<string, string>>} Folders of more than thirty files of code, each with the reason. */
export const largeFolders = {
  cli: 'a file for each command, and what several of them share',
  base: 'small files that have nothing in common but that all may use them',
}

/** @type {Readonly<Record<string, string>>} Functions of more than sixty lines, by `FILE NAME`, each with the reason. */
export const longFunctions = {
  'client/puppet-v3.ts puppetV3': 'a list of requests, a few lines each',
  'agent/run.ts runOnce': 'the steps of a run, in their order',
  'server/code-server.ts openHttp': 'what a server is put together from, in order',
  'server/code-server.ts start': 'the steps of a start, in their order',
}
