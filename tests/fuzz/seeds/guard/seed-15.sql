SELECT [a], "b", `a` FROM main.t -- comment
;