// Every kind of hostile client. A new one is a file and a row. `every`: seconds from one act to the next. `act(attack)`:
// what it does once with the tools of ../attack.js; answers what came of it in a word or a list of them, and throws a
// Breach when it got what nobody may get. `prepare(attack)`: what it needs, made once, then `attack.prepared`; whatever is
// large is made there, as each process reads all of these files.
// `withinMs`: how long an act may take; 30 s by default.
import { abortedUploads } from './aborted-uploads.js'
import { brokenRefs } from './broken-refs.js'
import { brokenRequests } from './broken-requests.js'
import { bucketUploads } from './bucket-uploads.js'
import { catalogStorms } from './catalog-storms.js'
import { debuggerSignals } from './debugger-signals.js'
import { deepJson } from './deep-json.js'
import { doublingLinks } from './doubling-links.js'
import { garbageRequests } from './garbage-requests.js'
import { giantHeaders } from './giant-headers.js'
import { globBombs } from './glob-bombs.js'
import { hangUps } from './hang-ups.js'
import { largeReports } from './large-reports.js'
import { longNumbers } from './long-numbers.js'
import { loopingCode } from './looping-code.js'
import { manyConnections } from './many-connections.js'
import { millionFacts } from './million-facts.js'
import { millionFields } from './million-fields.js'
import { oddCodeIds } from './odd-code-ids.js'
import { pathTraversals } from './path-traversals.js'
import { renegotiations } from './renegotiations.js'
import { requestFloods } from './request-floods.js'
import { revokedCertificates } from './revoked-certificates.js'
import { sameUploads } from './same-uploads.js'
import { silentHandshakes } from './silent-handshakes.js'
import { slowBodies } from './slow-bodies.js'
import { slowHeaders } from './slow-headers.js'
import { smuggling } from './smuggling.js'
import { starGlobs } from './star-globs.js'
import { statusPolls } from './status-polls.js'
import { tlsGarbage } from './tls-garbage.js'
import { treeBombs } from './tree-bombs.js'
import { unreadAnswers } from './unread-answers.js'

export const kinds = {
  'aborted-uploads': abortedUploads,
  'broken-refs': brokenRefs,
  'broken-requests': brokenRequests,
  'bucket-uploads': bucketUploads,
  'catalog-storms': catalogStorms,
  'debugger-signals': debuggerSignals,
  'deep-json': deepJson,
  'doubling-links': doublingLinks,
  'garbage-requests': garbageRequests,
  'giant-headers': giantHeaders,
  'glob-bombs': globBombs,
  'hang-ups': hangUps,
  'large-reports': largeReports,
  'long-numbers': longNumbers,
  'looping-code': loopingCode,
  'many-connections': manyConnections,
  'million-facts': millionFacts,
  'million-fields': millionFields,
  'odd-code-ids': oddCodeIds,
  'path-traversals': pathTraversals,
  renegotiations,
  'request-floods': requestFloods,
  'revoked-certificates': revokedCertificates,
  'same-uploads': sameUploads,
  'silent-handshakes': silentHandshakes,
  'slow-bodies': slowBodies,
  'slow-headers': slowHeaders,
  smuggling,
  'star-globs': starGlobs,
  'status-polls': statusPolls,
  'tls-garbage': tlsGarbage,
  'tree-bombs': treeBombs,
  'unread-answers': unreadAnswers,
}
