import type { ReviewHost } from '../../sources/review-access.ts'
import type { GitHostKind } from '../git-host.ts'
import { bitbucketCloud } from './bitbucket-cloud.ts'
import { bitbucketServer } from './bitbucket-server.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'

/** The kinds of Git hosts, by the values of `host` in the file of sources. */
export const gitHostKinds: Readonly<Record<ReviewHost, GitHostKind>> = {
  github,
  gitlab,
  gitea,
  bitbucket: bitbucketCloud,
  bitbucket_server: bitbucketServer,
}
