# An absolute path without `..`.
type Profile::Path = Pattern[/\A\/([^\/\0]+\/?)*\z/]
