# filled with the packaging step
