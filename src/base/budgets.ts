/**
 * The bound of something that comes from outside. A budget says how much is taken, never how much is worth having: what
 * is beyond it is refused in words, and changes nothing.
 */
export interface Budget {
  readonly bound: number
  readonly unit: 'bytes' | 'bits' | 'items' | 'levels' | 'characters' | 'ms' | 'days' | 'at once' | 'per minute'
  /** What is bounded. */
  readonly of: string
  /** Why it is so much, and no more. */
  readonly reason: string
  /** What is answered or done beyond it. */
  readonly beyond: string
  /** The setting that moves it, whose default it then is; without one it is fixed. */
  readonly setting?: string
}

const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB

/** What one connection, known or not, may take of the server. */
const connection = {
  total: {
    bound: 10_000,
    unit: 'at once',
    of: 'connections, in all; fewer where the machine gives the process fewer descriptors',
    reason: 'a fleet of a hundred thousand nodes that ask every 30 minutes has some hundred open',
    beyond: 'the oldest of a stranger is closed, else an idle one of a node; where all nodes are at work the new one',
    setting: 'max_connections',
  },
  descriptors: {
    bound: 256,
    unit: 'items',
    of: 'descriptors that connections leave to files and programs; half of all where there are fewer than 512',
    reason: 'a server under load has open some thirty files, git and its pipes, and what its threads read',
    beyond: 'as above',
  },
  perAddress: {
    bound: 1000,
    unit: 'at once',
    of: 'connections from one address, or one IPv6 network of 64 bits; half of all at most',
    reason: 'behind one address there may be a site of thousands of nodes, or a proxy',
    beyond: 'the same among those of that address',
    setting: 'max_connections_per_address',
  },
  handshake: {
    bound: 10_000,
    unit: 'ms',
    of: 'a TLS handshake, from the first packet on',
    reason: 'four round trips over a satellite take three seconds',
    beyond: 'closed',
  },
  headers: {
    bound: 10_000,
    unit: 'ms',
    of: 'the headers of a request, from the handshake or from their first byte on',
    reason: 'they come in one packet or two',
    beyond: '408',
  },
  request: {
    bound: 300_000,
    unit: 'ms',
    of: 'a whole request with its body',
    reason: 'facts of 16 MiB over a line of 1 Mbit/s take two and a half minutes',
    beyond: '408',
  },
  transfer: {
    bound: 8 * KiB,
    unit: 'bytes',
    of: 'what is sent of a body, or taken of an answer, within half a minute at least, while we wait for the client',
    reason: 'a modem of 1990 does twice that',
    beyond: 'closed',
  },
  transferTime: {
    bound: 30_000,
    unit: 'ms',
    of: 'the time in which the bytes above have to go over',
    reason: 'a line may stall for some seconds',
    beyond: 'as above',
  },
  idle: {
    bound: 15_000,
    unit: 'ms',
    of: 'the time between two requests of a connection',
    reason: "an agent's own connections are idle for 4 s at most",
    beyond: 'closed',
  },
  requests: {
    bound: 10_000,
    unit: 'items',
    of: 'requests on one connection',
    reason: 'a first run fetches some thousand plug-ins on one',
    beyond: 'the last answer says so, and the connection is closed; what comes still is answered 503',
  },
  pipelined: {
    bound: 16,
    unit: 'at once',
    of: 'requests on one connection whose answers are not sent yet',
    reason: 'agents wait for each answer',
    beyond: 'closed',
  },
  headerBytes: {
    bound: 16 * KiB,
    unit: 'bytes',
    of: 'the line and the headers of a request',
    reason: 'a certificate that a proxy sends takes up to 8 KiB, addresses some hundred bytes',
    beyond: '431',
  },
  headerCount: {
    bound: 100,
    unit: 'items',
    of: 'headers of a request',
    reason: 'an agent sends ten, proxies add as many',
    beyond: '431',
  },
} as const satisfies Group

/** What one request may bring, and what all requests may hold together. */
const request = {
  body: {
    bound: 48 * MiB,
    unit: 'bytes',
    of: 'the body of a request, where its endpoint has no budget of its own',
    reason: 'facts of 16 MiB, encoded twice, are within',
    beyond: '413',
  },
  bodiesHeld: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'bodies in memory, those of all requests together',
    reason: 'five of the largest at once; a quarter is kept for bodies of up to 256 KiB',
    beyond: '503, before the rest is read',
  },
  unreadTime: {
    bound: 30_000,
    unit: 'ms',
    of: 'what a client goes on sending of a body that was refused',
    reason: 'agents send all of it before they look at the answer; nothing of it is kept',
    beyond: 'the connection is cut',
  },
  parameters: {
    bound: 1000,
    unit: 'items',
    of: 'the parameters of a query or of a form',
    reason: 'agents send about ten',
    beyond: '413; for a query 400',
  },
  factText: {
    bound: 16 * MiB,
    unit: 'characters',
    of: 'the JSON text of the facts of a node',
    reason: "Puppet warns of more (payload_soft_limit); a node's are 60,000",
    beyond: '413',
  },
  factItems: {
    bound: 250_000,
    unit: 'items',
    of: 'the values in the facts of a node, nested ones too',
    reason: 'a host of two thousand interfaces has 40,000',
    beyond: '413',
  },
  factsInMemory: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'the facts that are kept in memory, where facts_terminus is memory',
    reason: 'four thousand nodes of 60 KiB',
    beyond: 'those that were not asked for longest are forgotten',
  },
  reportItems: {
    bound: 2_000_000,
    unit: 'items',
    of: 'the values in a report, nested ones too',
    reason: 'one of 10,000 resources has 300,000',
    beyond: '413',
  },
  jsonDepth: {
    bound: 100,
    unit: 'levels',
    of: 'the nesting of a JSON body',
    reason: "Ruby's JSON reads no deeper",
    beyond: '400',
  },
  jsonNumber: {
    bound: 1000,
    unit: 'characters',
    of: 'a number in a JSON body',
    reason: 'whole numbers are read to the last digit, which takes more than linear time',
    beyond: '413',
  },
  readingTime: {
    bound: 10_000,
    unit: 'ms',
    of: 'reading one body of more than 256 KiB, on a thread of its own',
    reason: 'the largest take one second',
    beyond: '413, and the thread is replaced',
  },
  readingQueue: {
    bound: 64,
    unit: 'at once',
    of: 'bodies of more than 256 KiB that are or wait to be read, nodes in turn',
    reason: 'beyond it agents would wait longer than their own patience',
    beyond: '503',
  },
  bucketFile: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'a file that is sent to the file bucket',
    reason: 'a backup of a configuration file is far below; it goes to disk as it comes',
    beyond: '413',
    setting: 'bucket_max_file_size',
  },
  bucketUploads: {
    bound: 32,
    unit: 'at once',
    of: 'uploads to the file bucket',
    reason: 'each is a file on disk that is open and not yet paid for',
    beyond: '503',
  },
  bucketFreeSpace: {
    bound: 1024 * MiB,
    unit: 'bytes',
    of: 'what uploads to the file bucket leave free of its disk',
    reason: 'facts, reports and certificates are often on the same one',
    beyond: '507',
    setting: 'bucket_min_free_space',
  },
  bucketPaths: {
    bound: 64 * KiB,
    unit: 'bytes',
    of: 'the list of paths under which one content of the file bucket was found',
    reason: 'a thousand paths; it is read for each upload of the same content',
    beyond: 'the oldest are forgotten',
  },
  reportLines: {
    bound: 5000,
    unit: 'items',
    of: 'the lines of one report that the processor log repeats',
    reason: 'a run that changes every resource of a large catalog says as much',
    beyond: 'the log says how many were left out; the stored report has all',
  },
  searchedFiles: {
    bound: 100_000,
    unit: 'items',
    of: 'the names that one search of files goes through, whatever its `max_files`',
    reason: 'the plugins of a large site are some ten thousand; links that double lead to billions',
    beyond: '413 over HTTP, or the catalog fails',
  },
  searchedFolders: {
    bound: 32 * MiB,
    unit: 'bytes',
    of: 'the folders that are read to find one file of an old commit',
    reason: 'a folder of 100,000 names has 6 MiB',
    beyond: '500, in words',
  },
  searchedSteps: {
    bound: 512,
    unit: 'items',
    of: 'the folders on the way to one file of an old commit, those of links among them',
    reason: 'paths have some ten, and Linux follows forty links',
    beyond: '404',
  },
  pemBlocks: {
    bound: 1000,
    unit: 'items',
    of: 'blocks of one PEM text',
    reason: 'a bundle of all authorities of the world has 150',
    beyond: 'the text is refused',
  },
  certificateRequest: {
    bound: 32 * KiB,
    unit: 'bytes',
    of: 'a certificate request',
    reason: 'one with a large key and many extensions has 5 KiB; a client without a certificate may send it',
    beyond: '413',
  },
  certnames: {
    bound: 256 * KiB,
    unit: 'bytes',
    of: 'a list of certnames to sign or to clean, and a wish for the status of one',
    reason: 'some ten thousand names',
    beyond: '413',
  },
  revocationLists: {
    bound: 16 * MiB,
    unit: 'bytes',
    of: 'the revocation lists that an administrator uploads',
    reason: '300,000 revoked certificates',
    beyond: '413',
  },
} as const satisfies Group

/** What one node, or one address without a certificate, may have of the server at a time. */
const node = {
  answer: {
    bound: 384 * MiB,
    unit: 'bytes',
    of: 'an answer of a server that an agent reads as a whole: a catalog, the description of files',
    reason:
      'one and a half of the largest catalogs; before it has the certificate of its authority it cannot tell who answers',
    beyond: 'the request fails',
  },
  requests: {
    bound: 60_000,
    unit: 'per minute',
    of: 'the requests of one node',
    reason: 'a first pluginsync asks for thousands of files, hundreds a second',
    beyond: '429',
    setting: 'max_requests_per_minute',
  },
  requestsAtOnce: {
    bound: 64,
    unit: 'at once',
    of: 'the requests of one node',
    reason: 'an agent has one under way, some clients eight',
    beyond: '429',
    setting: 'max_requests_at_once',
  },
  catalogs: {
    bound: 1200,
    unit: 'per minute',
    of: 'the catalogs that one node asks for',
    reason: 'an agent asks for one in half an hour; tools that compare catalogs ask for twenty in a second',
    beyond: '429',
  },
  documents: {
    bound: 600,
    unit: 'per minute',
    of: 'the facts and reports that one node sends, and the nodes it asks for',
    reason: 'of an agent one of each in half an hour',
    beyond: '429',
  },
  documentsAtOnce: {
    bound: 16,
    unit: 'at once',
    of: 'the facts and reports that one node sends, and the nodes it asks for',
    reason: 'of an agent one after the other; each may hold facts of 16 MiB',
    beyond: '429',
  },
  uploads: {
    bound: 6000,
    unit: 'per minute',
    of: 'the files that one node sends to the file bucket',
    reason: 'a run that replaces thousands of files sends each of them, one after the other',
    beyond: '429',
  },
  uploadsAtOnce: {
    bound: 8,
    unit: 'at once',
    of: 'the files that one node sends to the file bucket',
    reason: 'an agent sends one after the other',
    beyond: '429',
  },
  strangerRequests: {
    bound: 12_000,
    unit: 'per minute',
    of: 'the requests without a certificate from one address',
    reason: 'a thousand new nodes behind one address, each asking for its certificate, and monitors',
    beyond: '429',
  },
  strangerRequestsAtOnce: {
    bound: 64,
    unit: 'at once',
    of: 'the requests without a certificate from one address',
    reason: 'the same',
    beyond: '429',
  },
  bodiesHeld: {
    bound: 96 * MiB,
    unit: 'bytes',
    of: 'bodies in memory, those of the requests of one node together',
    reason: 'two of the largest',
    beyond: '429, before the rest is read',
  },
  waitingCatalogs: {
    bound: 4,
    unit: 'at once',
    of: 'catalogs of one node that wait to be compiled, beside the one that is being compiled',
    reason: 'an agent asks for one at a time; an operator looks at it beside that, and requests are repeated',
    beyond: '429 with Retry-After',
  },
} as const satisfies Group

/** What one push may bring, and a commit that is served may have: the hook and the loader ask the same row. */
const push = {
  files: {
    bound: 250_000,
    unit: 'items',
    of: 'files and folders of one commit',
    reason: 'four times a very large control repository; each takes some 500 bytes in each thread',
    beyond: 'the push is refused, or the environment stays at its old commit',
    setting: 'max_environment_files',
  },
  bytes: {
    bound: 1 * GiB,
    unit: 'bytes',
    of: 'what is loaded of one commit: all but files/ and what is larger than 1 MiB',
    reason: 'a control repository of 60,000 files and 400 MB fits twice',
    beyond: 'the push is refused, or the environment stays at its old commit',
    setting: 'max_environment_bytes',
  },
  paths: {
    bound: 64 * MiB,
    unit: 'bytes',
    of: 'all paths of one commit together',
    reason: '250 bytes for each of the most files; usual are 60',
    beyond: 'the push is refused, or the environment stays at its old commit',
  },
  path: {
    bound: 4096,
    unit: 'bytes',
    of: 'one path of a commit, and where one of its links leads',
    reason: 'PATH_MAX of Linux: no longer one can be checked out',
    beyond: 'the push is refused, or the environment stays at its old commit',
  },
  depth: {
    bound: 128,
    unit: 'levels',
    of: 'folders within folders of one commit',
    reason: 'the deepest modules have some twenty',
    beyond: 'the push is refused, or the environment stays at its old commit',
  },
  codeFile: {
    bound: 4 * MiB,
    unit: 'bytes',
    of: 'one file that is parsed: a manifest, a template, data, environment.conf, hiera.yaml, metadata.json',
    reason: 'the largest known are 2 MiB, and a syntax tree takes fifty times as much',
    beyond: 'the push is refused, or the environment stays at its old commit',
    setting: 'max_code_file_bytes',
  },
  commit: {
    bound: 1 * MiB,
    unit: 'bytes',
    of: 'the commit itself: its message and its parents',
    reason: 'the message of a merge of a thousand commits has 100 KiB',
    beyond: 'the push is refused, or the environment stays at its old commit',
  },
  hoconSubstituted: {
    bound: 100_000,
    unit: 'items',
    of: 'the values that the substitutions of one HOCON text stand for',
    reason: 'a few lines that name each other can say more than any memory holds; real ones come to hundreds',
    beyond: 'the text is refused: a rule file is not loaded, a lookup fails',
  },
} as const satisfies Group

/** What the environments that are served may take together. */
const environment = {
  served: {
    bound: 1000,
    unit: 'items',
    of: 'environments that are served',
    reason: 'a site of fifty people has some hundred branches',
    beyond: 'a push of one more branch is refused; what is served stays, the others are refused in words',
    setting: 'max_environments',
  },
  files: {
    bound: 3_000_000,
    unit: 'items',
    of: 'files of all environments together',
    reason: 'each takes some 450 bytes of the main thread, which must fit into half of its heap, whatever is set here',
    beyond: 'the environment that comes last stays at its old commit',
    setting: 'max_served_files',
  },
  bytes: {
    bound: 4 * GiB,
    unit: 'bytes',
    of: 'what is loaded of all environments together; what they share counts once',
    reason: 'four times the largest environment',
    beyond: 'the environment that comes last stays at its old commit',
    setting: 'max_served_bytes',
  },
  loadTime: {
    bound: 120_000,
    unit: 'ms',
    of: 'loading one commit',
    reason: '60,000 files take 5 s',
    beyond: 'the environment stays at its old commit; it is tried again in a minute',
    setting: 'environment_load_timeout',
  },
  loads: {
    bound: 4,
    unit: 'at once',
    of: 'commits that are loaded',
    reason: 'one that takes long holds up nobody, and the event loop has its turns',
    beyond: 'they wait in turn',
  },
  refs: {
    bound: 100_000,
    unit: 'items',
    of: 'branches that are looked at',
    reason: 'a hundred times as many as are served',
    beyond: 'those that are served are still followed, the others are said not to be looked at',
  },
  pins: {
    bound: 10_000,
    unit: 'items',
    of: 'commits that are kept from being pruned',
    reason: 'one deploy in four minutes for a month',
    beyond: 'the ones that were served longest ago are let go',
    setting: 'max_pinned_commits',
  },
  largeFiles: {
    bound: 32,
    unit: 'at once',
    of: 'files larger than 1 MiB that are streamed out of the repository, each by a process',
    reason: 'a process takes some 10 MB',
    beyond: '512 wait for up to 30 s, then 503 with Retry-After',
  },
  codeBlob: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'one file that a function or a template reads',
    reason: 'it is held by a thread as a whole',
    beyond: 'the catalog fails',
  },
  moduleFolders: {
    bound: 1000,
    unit: 'items',
    of: 'the folders that the modulepath of an environment names or leads to',
    reason: 'each is asked for each module that is looked for',
    beyond: 'the environment is not loaded, and says why',
  },
  quickCompile: {
    bound: 3_000,
    unit: 'ms',
    of: 'the time after which a catalog takes long, and leaves its thread to others that wait',
    reason: 'most catalogs take a tenth of it; what loops is known by then, and an agent can wait for it',
    beyond: 'the catalog is compiled beside, on a thread for slow ones, or begins again when one is free',
    setting: 'compile_slow_after',
  },
  slowThreads: {
    bound: 2,
    unit: 'at once',
    of: 'threads for catalogs that take long, beside compile_workers',
    reason:
      'each may take 100 MiB with Ruby and more with the code; one environment has all but one of them, so that others have theirs',
    beyond: 'such catalogs wait, in turns of environments and nodes',
    setting: 'compile_slow_workers',
  },
  valueItems: {
    bound: 1_000_000,
    unit: 'items',
    of: 'an Array or a Hash that a manifest makes',
    reason:
      'more than any catalog names; its memory is got in pieces of 8 MB, so that to run out of it ends one compilation only',
    beyond: 'the compilation fails, with the place',
  },
  valueText: {
    bound: 16 * MiB,
    unit: 'characters',
    of: 'a String that a manifest makes',
    reason: 'larger than any content of a file that a catalog holds; the same as for arrays',
    beyond: 'the compilation fails, with the place',
  },
  resources: {
    bound: 250_000,
    unit: 'items',
    of: 'the resources of a catalog',
    reason: 'ten times the largest catalogs that are known',
    beyond: 'the compilation fails, with the place',
  },
  messages: {
    bound: 100_000,
    unit: 'items',
    of: 'what manifests log while one catalog is compiled',
    reason: 'each is kept until the catalog is done, and then written to the log',
    beyond: 'the compilation fails',
  },
  messagesText: {
    bound: 16 * MiB,
    unit: 'characters',
    of: 'what manifests and modules log while one catalog is compiled, all of it together',
    reason: 'the main thread writes it to the log; a hundred thousand lines of a usual length',
    beyond: 'the compilation fails',
  },
  valuesOutside: {
    bound: 1 * GiB,
    unit: 'bytes',
    of: 'the Binaries, and the Strings of more than a million characters that functions give, in one compilation',
    reason: 'they lie outside of the memory that the limit of a thread counts',
    beyond: 'the compilation fails, with the place',
  },
  rubyMessage: {
    bound: 48 * MiB,
    unit: 'bytes',
    of: 'what the Ruby of a module says at once: what a function gives, what it asks',
    reason: 'three times the longest String, as JSON may write it',
    beyond: 'the compilation fails',
  },
  rubyMessageItems: {
    bound: 2_000_000,
    unit: 'items',
    of: 'the parts of what the Ruby of a module says at once',
    reason: 'an Array or a Hash that is as large as one may be',
    beyond: 'the compilation fails',
  },
  catalogBody: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'a catalog as it is sent, and what it exports',
    reason: 'an agent reads it whole; 250,000 resources of 1 KB',
    beyond: 'the compilation fails',
  },
  classesTime: {
    bound: 10_000,
    unit: 'ms',
    of: 'reading the classes of one manifest, for environment_classes',
    reason: 'the largest manifests that are known take a tenth of a second',
    beyond: 'the manifest is told as one that cannot be read',
  },
  classesText: {
    bound: 8 * MiB,
    unit: 'bytes',
    of: 'what environment_classes says of one manifest',
    reason: 'a manifest has one class, or a few',
    beyond: 'the manifest is told as one that cannot be read',
  },
  moduleMetadata: {
    bound: MiB,
    unit: 'bytes',
    of: 'metadata.json of a module',
    reason: 'the largest on the Forge are a twentieth of it',
    beyond: 'it is not read',
  },
  waitingFacts: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'requests for catalogs that wait with their facts, of all nodes',
    reason: '4,000 nodes at once; parsed facts take some times of it in memory',
    beyond: '503 with Retry-After',
  },
} as const satisfies Group

/** What the certificate authority does for those who ask it. */
const authority = {
  keyBits: {
    bound: 2048,
    unit: 'bits',
    of: 'an RSA key that gets a certificate, at least; of EC keys, P-256, P-384 and P-521 do',
    reason: 'shorter ones can be broken (NIST SP 800-131A)',
    beyond: '400, or 409 where an administrator signs it',
    setting: 'minimum_keylength',
  },
  longestKeyBits: {
    bound: 8192,
    unit: 'bits',
    of: 'an RSA key that gets a certificate, at most',
    reason: 'a check of its signature takes 1 ms, and every peer does it at each handshake',
    beyond: '400',
  },
  lifetime: {
    bound: 100 * 365,
    unit: 'days',
    of: 'the life of a certificate',
    reason: 'a century; far beyond it a date has no form in X.509',
    beyond: 'nothing is signed: 409',
  },
  submissions: {
    bound: 200,
    unit: 'at once',
    of: 'certificate requests that are taken in, which waits for autosign and for the disk',
    reason: 'a fleet that boots together; each takes some hundredths of a second',
    beyond: '503 with Retry-After',
  },
  submissionsOfOne: {
    bound: 50,
    unit: 'at once',
    of: 'certificate requests that are taken in from one address',
    reason: 'a site behind one address boots together, and leaves three quarters to others',
    beyond: '503 with Retry-After',
  },
  autosignPrograms: {
    bound: 4,
    unit: 'at once',
    of: 'runs of the program that the setting autosign names',
    reason: 'a program takes a process and tens of MiB; more of them are no faster on few cores',
    beyond: 'the request waits for its turn',
    setting: 'autosign_workers',
  },
  autosignOutput: {
    bound: 64 * KiB,
    unit: 'bytes',
    of: 'what the autosign program prints, for the log',
    reason: 'a sentence, or a stack trace',
    beyond: 'the program is ended, and has not agreed',
  },
  waitingRequests: {
    bound: 5000,
    unit: 'items',
    of: 'certificate requests that wait for a person',
    reason: 'a fleet that is signed at once; 160 MiB of disk at most, for anybody may send them',
    beyond: 'what autosign agrees to is signed, and else 503 with Retry-After until requests are signed or cleaned',
    setting: 'max_waiting_requests',
  },
} as const satisfies Group

/** What a pattern that comes from outside may cost: a glob, a regular expression. */
const pattern = {
  globLength: {
    bound: 4096,
    unit: 'characters',
    of: 'a glob: of a modulepath, a hiera.yaml, `ignore` of a file search',
    reason: 'as long as a path of Linux may be',
    beyond: '400 for a request; the environment or the catalog fails in words',
  },
  globAlternatives: {
    bound: 256,
    unit: 'items',
    of: 'the alternatives that the braces of a glob stand for',
    reason: 'braces multiply: twenty pairs would stand for a million',
    beyond: 'the environment or the catalog fails in words',
  },
  globSteps: {
    bound: 20_000_000,
    unit: 'items',
    of: 'the steps of finding what the globs of a modulepath, of a level of Hiera or of a file search mean',
    reason: 'a hundred thousand names with a few wildcards take a tenth of it; all of it takes a third of a second',
    beyond: '400 for a request; the environment or the catalog fails in words',
  },
  ignored: {
    bound: 256,
    unit: 'items',
    of: 'the globs in `ignore` of a file search',
    reason: 'each is tried with each name; `pluginsignore` has four',
    beyond: '400',
  },
  expressionLength: {
    bound: 4096,
    unit: 'characters',
    of: 'a regular expression of auth.conf, or of a `pattern` of a service',
    reason: 'a thousand certnames would be written as rules of their own',
    beyond: 'the rule, or the resource, fails in words',
  },
  expressionSize: {
    bound: 2000,
    unit: 'items',
    of: 'the steps that such an expression stands for, repetitions written out',
    reason: 'each may be taken for each character: with a path of 16 KiB it takes half a second',
    beyond: 'the rule, or the resource, fails in words',
  },
} as const satisfies Group

type Group = Readonly<Record<string, Budget>>

/** Every bound of what comes from outside, once. Code, settings and docs/budgets.md take it from here. */
export const budgets = { connection, request, node, push, environment, authority, pattern } as const
