import { codeV1 as addCodeV1 } from '../../code-v1/fetch.ts'
import { gitEntrance } from '../../git/entrance.ts'
import { openGit } from '../../git/open-git.ts'
import { audit } from '../audit.ts'
import { code } from '../code.ts'
import { environments } from '../environments.ts'
import { identity } from '../identity.ts'
import { part } from '../part.ts'

/** Routes of `/code/v1`, and the alerts of sources that cannot be fetched; empty without sources. */
export const codeV1 = part('codeV1', [code, environments], ({ code: { sources }, environments: { environments } }) =>
  sources ? { routes: (http) => addCodeV1(http, { sources, environments }), alerts: () => sources.alerts() } : {},
)

/** Routes of `/git`, for git over HTTPS. */
export const git = part('git', [code, audit, identity], ({ settings, given = {}, log, code, audit, identity }) => ({
  routes: (http) => openGit(http, { settings, given, ...code, audit, log, rules: () => identity.rules() }),
  entrance: gitEntrance,
}))
