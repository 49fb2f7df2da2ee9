import { defineFileProvider } from './file-functions.ts'
import {
  formatMode,
  formatOwner,
  isModeInSync,
  isOwnerInSync,
  posixPermissions,
  setMode,
  setOwner,
} from './ownership.ts'

/** The provider of `file` for POSIX systems. */
export const filePosix = defineFileProvider('posix', {
  doc: 'Uses POSIX functionality to manage file ownership and permissions.',
  permissions: posixPermissions,
  inSync: {
    mode: (work) => isModeInSync(work, work.state.seen),
    owner: (work) => isOwnerInSync(work, 'owner', work.state.seen),
    group: (work) => isOwnerInSync(work, 'group', work.state.seen),
  },
  set: {
    mode: setMode,
    owner: (work) => setOwner(work, 'owner'),
    group: (work) => setOwner(work, 'group'),
  },
  show: {
    mode: formatMode,
    owner: (work, value) => formatOwner(work, 'owner', value),
    group: (work, value) => formatOwner(work, 'group', value),
  },
})
