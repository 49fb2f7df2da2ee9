/** Format name in the first line of a backup. */
export const backupFormat = 'plumb-store-backup'
