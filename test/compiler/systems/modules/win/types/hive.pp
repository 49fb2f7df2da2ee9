type Win::Hive = Enum['HKLM', 'HKCR', 'HKU', 'hklm', 'hkcr', 'hku']
