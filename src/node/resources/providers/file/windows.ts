import { defineFileProvider } from './file-functions.ts'
import { formatMode, formatOwner } from './ownership.ts'
import {
  isAccountInSync,
  isWindowsModeInSync,
  setAccount,
  setWindowsMode,
  windowsPermissions,
} from './windows-permissions.ts'

/** The provider of `file` for Windows. */
export const fileWindows = defineFileProvider('windows', {
  doc: 'Uses Microsoft Windows functionality to manage file ownership and permissions.',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  permissions: windowsPermissions,
  inSync: {
    mode: isWindowsModeInSync,
    owner: (work) => isAccountInSync(work, 'owner'),
    group: (work) => isAccountInSync(work, 'group'),
  },
  set: {
    mode: setWindowsMode,
    owner: (work) => setAccount(work, 'owner'),
    group: (work) => setAccount(work, 'group'),
  },
  show: {
    mode: formatMode,
    owner: (work, value) => formatOwner(work, 'owner', value),
    group: (work, value) => formatOwner(work, 'group', value),
  },
})
