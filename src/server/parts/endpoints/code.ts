import { addCodeV1Routes as addCodeV1 } from '../../code-v1/fetch.ts'
import { openGitServer } from '../../git/git-server.ts'
import { createGitRefusal } from '../../git/unauthorized-response.ts'
import { auditPart } from '../audit.ts'
import { codePart } from '../code.ts'
import { environmentsPart } from '../environments.ts'
import { identityPart } from '../identity.ts'
import { definePart } from '../part.ts'

/** Routes of `/code/v1`, and the alerts of sources that cannot be fetched; empty without sources. */
export const codeV1Part = definePart(
  'codeV1',
  [codePart, environmentsPart],
  ({ code: { sources }, environments: { environments } }) =>
    sources ? { routes: (http) => addCodeV1(http, { sources, environments }), alerts: () => sources.alerts() } : {},
)

/** Routes of `/git`, for git over HTTPS. */
export const gitPart = definePart(
  'git',
  [codePart, auditPart, identityPart],
  ({ settings, given = {}, log, code, audit, identity }) => ({
    routes: (http) => openGitServer(http, { settings, given, ...code, audit, log, rules: () => identity.rules() }),
    entrance: createGitRefusal,
  }),
)
