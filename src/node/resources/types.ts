import type { NativeTypeDefinition } from './type.ts'
import { anchor } from './types/anchor.ts'
import { augeasType } from './types/augeas.ts'
import { concatFile, concatFragment } from './types/concat.ts'
import { cron } from './types/cron.ts'
import { execType } from './types/exec.ts'
import { fileType } from './types/file.ts'
import { fileLine } from './types/file-line.ts'
import { filebucketType } from './types/filebucket.ts'
import { group } from './types/group.ts'
import { hostType } from './types/host.ts'
import { iniSetting } from './types/ini-setting.ts'
import { iniSubsetting } from './types/ini-subsetting.ts'
import { mailalias } from './types/mailalias.ts'
import { mount } from './types/mount.ts'
import { notifyType } from './types/notify.ts'
import { packageType } from './types/package.ts'
import { registryKey } from './types/registry-key.ts'
import { registryValue } from './types/registry-value.ts'
import { resourcesType } from './types/resources.ts'
import { schedule } from './types/schedule.ts'
import { scheduledTask } from './types/scheduled-task/scheduled-task.ts'
import { selboolean } from './types/selboolean.ts'
import { selmodule } from './types/selmodule.ts'
import { service } from './types/service.ts'
import { sshAuthorizedKey } from './types/ssh-authorized-key.ts'
import { sshkey } from './types/sshkey.ts'
import { stage } from './types/stage.ts'
import { tidy } from './types/tidy.ts'
import { user } from './types/user.ts'
import { acl } from './types/windows/acl.ts'
import { reboot } from './types/windows/reboot.ts'
import { yumrepo } from './types/yumrepo.ts'

const all = [
  acl,
  anchor,
  augeasType,
  concatFile,
  concatFragment,
  cron,
  execType,
  fileType,
  fileLine,
  filebucketType,
  group,
  hostType,
  iniSetting,
  iniSubsetting,
  mailalias,
  mount,
  notifyType,
  packageType,
  reboot,
  registryKey,
  registryValue,
  resourcesType,
  schedule,
  scheduledTask,
  selboolean,
  selmodule,
  service,
  sshAuthorizedKey,
  sshkey,
  stage,
  tidy,
  user,
  yumrepo,
]

/** The built-in resource types, by name. */
// biome-ignore lint/suspicious/noExplicitAny: each type has attributes of its own
export const types: ReadonlyMap<string, NativeTypeDefinition<any>> = new Map(all.map((type) => [type.name, type]))
