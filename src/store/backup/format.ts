/** Name of the backup format, in the first line of a backup. */
export const backupFormat = 'plumb-store-backup'
