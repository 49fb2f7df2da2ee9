class broken { ^ }
